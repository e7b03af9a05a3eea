// Reads the JSON Schema of a plug-in's configuration as a form. A stranger wrote
// it: it is looked at as far as a form can show it, and what is beyond is edited
// as JSON. The program checks the whole of it when it is saved.

export type FieldKind = 'text' | 'whole' | 'number' | 'switch' | 'choice' | 'list' | 'group' | 'json'

export interface SchemaField {
  key: string
  kind: FieldKind
  title: string
  description: string
  required: boolean
  standard: unknown // its default; undefined: none
  min?: number
  max?: number
  above?: number // more than
  below?: number // less than
  step?: number // a multiple of
  minLength?: number
  maxLength?: number
  pattern?: string // never run here: it may take forever. The program runs it
  options?: (string | number | boolean)[] // of a choice
  minItems?: number
  maxItems?: number
  unique?: boolean
  fields?: SchemaField[] // of a group
}

type Json = Record<string, unknown>

const MOST_FIELDS = 100
const MOST_OPTIONS = 200

// What no form here can show.
const beyond = [
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'const',
  'contains',
  'prefixItems',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
  'minProperties',
  'maxProperties',
]

// fieldsOf gives the fields of a schema's form in its order; null if the whole
// of it can only be edited as JSON.
export function fieldsOf(schema: unknown): SchemaField[] | null {
  const root = object(schema)
  if (!root) return null
  const fields = fieldsWithin(root, root, 0)
  return fields && fields.length > 0 ? fields : null
}

function fieldsWithin(root: Json, schema: Json, depth: number): SchemaField[] | null {
  if (beyond.some((word) => word in schema) || object(schema.additionalProperties)) return null
  if (schema.type !== undefined && schema.type !== 'object') return null
  const properties = object(schema.properties)
  if (!properties) return null
  const names = Object.keys(properties)
  if (names.length > MOST_FIELDS) return null
  const required = Array.isArray(schema.required) ? schema.required : []
  return names.map((key) => field(root, key, properties[key], required.includes(key), depth))
}

function field(root: Json, key: string, raw: unknown, required: boolean, depth: number): SchemaField {
  const s = resolved(root, raw)
  const f: SchemaField = {
    key,
    kind: 'json',
    title: words(s?.title) || key,
    description: words(s?.description),
    required,
    standard: s?.default,
  }
  if (!s || beyond.some((word) => word in s)) return f
  if (Array.isArray(s.enum)) return choice(f, s.enum)
  switch (s.type) {
    case 'string':
      return {
        ...f,
        kind: 'text',
        minLength: count(s.minLength),
        maxLength: count(s.maxLength),
        pattern: typeof s.pattern === 'string' ? s.pattern : undefined,
      }
    case 'integer':
    case 'number':
      return {
        ...f,
        kind: s.type === 'integer' ? 'whole' : 'number',
        min: amount(s.minimum),
        max: amount(s.maximum),
        above: amount(s.exclusiveMinimum),
        below: amount(s.exclusiveMaximum),
        step: amount(s.multipleOf),
      }
    case 'boolean':
      return { ...f, kind: 'switch' }
    case 'array':
      return list(root, f, s)
    case 'object':
      return group(root, f, s, depth)
  }
  return f
}

function choice(f: SchemaField, values: unknown[]): SchemaField {
  const plain = values.every((v) => ['string', 'number', 'boolean'].includes(typeof v))
  if (!plain || !values.length || values.length > MOST_OPTIONS) return f
  return { ...f, kind: 'choice', options: [...new Set(values as string[])] }
}

// A list is one of texts that are not bound further.
function list(root: Json, f: SchemaField, s: Json): SchemaField {
  const items = resolved(root, s.items)
  const bounds = ['type', 'title', 'description', 'minLength', 'maxLength', 'pattern']
  if (items?.type !== 'string' || !Object.keys(items).every((k) => bounds.includes(k))) return f
  return {
    ...f,
    kind: 'list',
    minItems: count(s.minItems),
    maxItems: count(s.maxItems),
    unique: s.uniqueItems === true,
    minLength: count(items.minLength),
    maxLength: count(items.maxLength),
    pattern: typeof items.pattern === 'string' ? items.pattern : undefined,
  }
}

function group(root: Json, f: SchemaField, s: Json, depth: number): SchemaField {
  const fields = depth === 0 ? fieldsWithin(root, s, 1) : null
  return fields?.length ? { ...f, kind: 'group', fields } : f
}

// resolved follows one reference to the schema's own definitions.
function resolved(root: Json, raw: unknown): Json | undefined {
  const s = object(raw)
  if (typeof s?.$ref !== 'string') return s
  const [, place, name] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(s.$ref) ?? []
  const defs = place ? object(root[place]) : undefined
  const to = defs && name && Object.hasOwn(defs, name) ? object(defs[name]) : undefined
  if (!to || '$ref' in to) return undefined
  const { $ref: _, ...beside } = s
  return { ...to, ...beside }
}

function object(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}

function words(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 2000) : ''
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
