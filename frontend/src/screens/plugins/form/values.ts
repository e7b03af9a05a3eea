import { text } from '../../../text'
import type { SchemaField } from './schema'

// A draft is what stands in a field while a person edits: numbers, lists and
// JSON as they are typed.
export type Draft = string | boolean | Drafts
export interface Drafts {
  [key: string]: Draft
}

// Errors are by the path of the field: "name", "group.name".
export type Errors = Record<string, string>

export interface Read {
  values: Record<string, unknown>
  errors: Errors
}

const t = text.plugins.form

// draftOf writes a value as it is edited. No value is the default, or nothing.
export function draftOf(f: SchemaField, value: unknown): Draft {
  const v = value === undefined ? f.standard : value
  switch (f.kind) {
    case 'switch':
      return v === true
    case 'list':
      return Array.isArray(v) ? v.filter((x) => typeof x === 'string').join('\n') : ''
    case 'choice':
      return v === undefined ? '' : JSON.stringify(v)
    case 'group':
      return draftsOf(f.fields ?? [], v)
    case 'json':
      return v === undefined ? '' : JSON.stringify(v, null, 2)
  }
  return v === undefined || v === null ? '' : String(v)
}

export function draftsOf(fields: SchemaField[], config: unknown): Drafts {
  const values = isObject(config) ? config : {}
  return Object.fromEntries(fields.map((f) => [f.key, draftOf(f, values[f.key])]))
}

// read gives the values of a form, without those that are as by default, and
// what is wrong at which field. kept is what is saved now: its keys that are no
// field stay.
export function read(fields: SchemaField[], drafts: Drafts, kept: Record<string, unknown> = {}): Read {
  const got = readAll(fields, drafts, kept)
  for (const f of fields) if (same(got.values[f.key], f.standard)) delete got.values[f.key]
  return got
}

function readAll(fields: SchemaField[], drafts: Drafts, kept: Record<string, unknown>): Read {
  const known = new Set(fields.map((f) => f.key))
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(kept).filter(([key]) => !known.has(key)),
  )
  const errors: Errors = {}
  for (const f of fields) {
    const was = Object.hasOwn(kept, f.key) ? kept[f.key] : undefined
    const got = value(f, drafts[f.key] ?? '', was)
    if (typeof got.error === 'string') errors[f.key] = got.error
    for (const [key, error] of Object.entries(got.within ?? {})) errors[`${f.key}.${key}`] = error
    if (got.value !== undefined) values[f.key] = got.value
  }
  return { values, errors }
}

interface Got {
  value?: unknown
  error?: string
  within?: Errors
}

function value(f: SchemaField, draft: Draft, was: unknown): Got {
  if (f.kind === 'switch') {
    // One that nobody has moved says nothing.
    const unset = draft !== true && was === undefined && f.standard === undefined && !f.required
    return unset ? {} : { value: draft === true }
  }
  if (f.kind === 'group') return group(f, draft as Drafts, was)
  const typed = String(draft)
  if (f.kind === 'text') return written(f, typed)
  if (f.kind === 'list') return list(f, typed)
  if (typed.trim() === '') return f.required && f.standard === undefined ? { error: t.required } : {}
  if (f.kind === 'whole' || f.kind === 'number') return amount(f, typed.trim())
  return json(typed)
}

function json(typed: string): Got {
  try {
    return { value: JSON.parse(typed) }
  } catch (cause) {
    return { error: t.noJson(cause instanceof Error ? cause.message : '') }
  }
}

// An empty text is one only where that is another thing than none.
function written(f: SchemaField, typed: string): Got {
  if (typed === '' && f.standard === undefined) return f.required ? { error: t.required } : {}
  return { value: typed, error: lengthOf(f, typed) }
}

function lengthOf(f: SchemaField, typed: string): string | undefined {
  const length = [...typed].length
  if (f.minLength !== undefined && length < f.minLength) return t.tooShort(f.minLength)
  if (f.maxLength !== undefined && length > f.maxLength) return t.tooLong(f.maxLength)
  return undefined
}

function amount(f: SchemaField, typed: string): Got {
  const n = /^[-+]?(\d+([.,]\d*)?|[.,]\d+)(e[-+]?\d+)?$/i.test(typed)
    ? Number(typed.replace(',', '.'))
    : Number.NaN
  if (!Number.isFinite(n)) return { error: t.noNumber }
  if (f.kind === 'whole' && !Number.isInteger(n)) return { error: t.notWhole }
  return { value: n, error: outside(f, n) }
}

function outside(f: SchemaField, n: number): string | undefined {
  if (f.min !== undefined && n < f.min) return t.least(f.min)
  if (f.max !== undefined && n > f.max) return t.most(f.max)
  if (f.above !== undefined && n <= f.above) return t.above(f.above)
  if (f.below !== undefined && n >= f.below) return t.below(f.below)
  if (f.step && Math.abs(n / f.step - Math.round(n / f.step)) > 1e-9) return t.step(f.step)
  return undefined
}

function list(f: SchemaField, typed: string): Got {
  const lines = typed
    .split('\n')
    .map((l) => l.trim())
    .filter(Boolean)
  const value = lines.length || f.standard !== undefined || f.required ? lines : undefined
  if (value === undefined) return {}
  if (f.minItems !== undefined && lines.length < f.minItems) return { error: t.tooFew(f.minItems) }
  if (f.maxItems !== undefined && lines.length > f.maxItems) return { error: t.tooMany(f.maxItems) }
  const twice = f.unique ? lines.find((l, i) => lines.indexOf(l) !== i) : undefined
  if (twice !== undefined) return { error: t.twice(twice) }
  const bad = lines.map((l) => lengthOf(f, l)).find((e) => e)
  return { value, error: bad && t.inALine(bad) }
}

// Defaults within a group are written too: the program fills in only those of
// the keys on top. What is missing in a group that nobody needs is not missing.
function group(f: SchemaField, drafts: Drafts, was: unknown): Got {
  const fields = f.fields ?? []
  if (!f.required && same(drafts, draftsOf(fields, f.standard))) return {}
  const { values, errors } = readAll(fields, drafts, isObject(was) ? was : {})
  return { value: values, within: errors }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// same compares two JSON values.
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => same(x, b[i]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && same(a[k], b[k]))
}

// place finds the field that the program's answer is about: it names a schema
// by its path. "" is the form as a whole.
export function place(message: string, fields: SchemaField[]): { path: string; words: string } {
  const at = [...message.matchAll(/validating (\/properties\/[^:]+): /g)].at(-1)
  if (at) {
    const path = (at[1] ?? '')
      .split('/properties/')
      .slice(1)
      .map((p) =>
        p
          .replace(/\/items$/, '')
          .replaceAll('~1', '/')
          .replaceAll('~0', '~'),
      )
    const [first, second] = path
    const f = fields.find((x) => x.key === first)
    if (f) {
      const inner = f.fields?.some((x) => x.key === second)
      return {
        path: inner ? `${first}.${second}` : f.key,
        words: told(message.slice(at.index + at[0].length)),
      }
    }
  }
  const missing = /missing properties: \["([^"]+)"/.exec(message)?.[1]
  if (missing && fields.some((f) => f.key === missing)) return { path: missing, words: t.required }
  return { path: '', words: message }
}

function told(rest: string): string {
  const [keyword = '', ...words] = rest.split(': ')
  if (keyword === 'pattern') return t.pattern
  return words.join(': ') || rest
}
