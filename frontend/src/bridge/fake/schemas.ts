// JSON Schemas of the settings of the sample plug-ins.
type Json = Record<string, unknown>

export const modelNotes: Json = {
  type: 'object',
  additionalProperties: false,
  properties: {
    model: {
      type: 'string',
      title: 'Model',
      description: 'A wish for one of your models, by its vendor’s name. Empty: the one that is configured.',
      maxLength: 200,
      default: '',
    },
    max_turn_chars: {
      type: 'integer',
      title: 'Characters of a message',
      description:
        'What is shown of one prompt, and of the last answer to it, each. Of what the assistant says in between, a quarter of that.',
      minimum: 200,
      maximum: 20000,
      default: 4000,
    },
    min_confidence: {
      type: 'number',
      title: 'Least confidence',
      description: 'Items of which the model is less certain are not kept.',
      minimum: 0,
      maximum: 1,
      default: 0.75,
    },
    evolve: {
      type: 'boolean',
      title: 'Let the model bring new items into the memory',
      description: 'Off: they are merged by comparing words, which costs nothing.',
      default: true,
    },
    style: { type: 'string', title: 'Style', enum: ['short', 'full'], default: 'short' },
  },
}

export const ranked: Json = {
  type: 'object',
  additionalProperties: false,
  properties: {
    sections: {
      type: 'array',
      title: 'Sections',
      description:
        'Ids of the sections to show, most important first. Each has a share of the budget by its place and may use what others leave. Pinned items are shown whatever their section.',
      items: { type: 'string', minLength: 1 },
      uniqueItems: true,
      maxItems: 50,
      default: ['conventions', 'architectural-decisions', 'bug-patterns', 'facts'],
    },
    least_confidence: {
      type: 'number',
      title: 'Least confidence',
      description:
        'What is less sure is not shown, from 0 to 1. What a person wrote is sure; pinned items are shown all the same.',
      minimum: 0,
      maximum: 1,
      default: 0,
    },
  },
}

export const kitchenSink: Json = {
  type: 'object',
  required: ['mode'],
  properties: {
    mode: { $ref: '#/$defs/mode' },
    prefix: {
      type: 'string',
      title: 'Prefix',
      description: 'Lower-case letters alone.',
      pattern: '^[a-z]+$',
      maxLength: 12,
    },
    tags: { type: 'array', title: 'Tags', items: { type: 'string' }, default: ['todo', 'fixme'] },
    window: {
      type: 'object',
      title: 'Time window',
      description: 'Only what was said then.',
      properties: {
        days: { type: 'integer', title: 'Days', minimum: 1, maximum: 365 },
        weekends: { type: 'boolean', title: 'Weekends too', default: true },
      },
    },
    rules: {
      title: 'Rules',
      description: 'Each with a word and a weight.',
      type: 'array',
      items: { type: 'object', properties: { word: { type: 'string' }, weight: { type: 'number' } } },
      default: [],
    },
  },
  $defs: { mode: { type: 'string', title: 'Mode', enum: ['careful', 'eager'] } },
}

// defaults fills in those of the keys that are left out.
export function defaults(schema: unknown, config: unknown): Json {
  const values = { ...((config ?? {}) as Json) }
  for (const [key, s] of Object.entries(properties(schema))) {
    if (!(key in values) && 'default' in s) values[key] = structuredClone(s.default)
  }
  return values
}

// misfit says what does not fit, in the program's words; of the few keywords
// that the samples use.
export function misfit(schema: unknown, values: Json): string | undefined {
  for (const [key, value] of Object.entries(values)) {
    const s = properties(schema)[key]
    const at = `validating /properties/${key}: `
    if (!s) continue
    if (typeof s.pattern === 'string' && !new RegExp(s.pattern).test(String(value))) {
      return `${at}pattern: ${JSON.stringify(value)} does not match regular expression ${JSON.stringify(s.pattern)}`
    }
    if (typeof s.maximum === 'number' && Number(value) > s.maximum) {
      return `${at}maximum: ${value} is greater than ${s.maximum}`
    }
  }
  return undefined
}

function properties(schema: unknown): Record<string, Json> {
  return ((schema as Json | undefined)?.properties ?? {}) as Record<string, Json>
}
