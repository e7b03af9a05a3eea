import { describe, expect, it } from 'vitest'
import { kitchenSink } from '../../../bridge/fake/schemas'
import { text } from '../../../text'
import { fieldsOf, type SchemaField } from './schema'
import { draftsOf, place, read, same } from './values'

const t = text.plugins.form

function one(schema: unknown, more: Record<string, unknown> = {}): SchemaField {
  const field = fieldsOf({ type: 'object', properties: { x: schema }, ...more })?.[0]
  if (!field) throw new Error('no field')
  return field
}

describe('fieldsOf', () => {
  it('draws each kind of setting', () => {
    expect(fieldsOf(kitchenSink)?.map((f) => [f.key, f.kind, f.title])).toEqual([
      ['mode', 'choice', 'Mode'],
      ['prefix', 'text', 'Prefix'],
      ['tags', 'list', 'Tags'],
      ['window', 'group', 'Time window'],
      ['rules', 'json', 'Rules'],
    ])
    expect(one({ type: 'integer', minimum: 1, maximum: 3 })).toMatchObject({ kind: 'whole', min: 1, max: 3 })
    expect(one({ type: 'number', exclusiveMinimum: 0 })).toMatchObject({ kind: 'number', above: 0 })
    expect(one({ type: 'boolean' }).kind).toBe('switch')
  })

  it.each([
    ['several types', { type: ['string', 'null'] }],
    ['one of', { type: 'string', oneOf: [{}] }],
    ['an enum of objects', { enum: [{}] }],
    ['a list of numbers', { type: 'array', items: { type: 'number' } }],
    ['a list of chosen texts', { type: 'array', items: { type: 'string', enum: ['a'] } }],
    ['a reference to nothing', { $ref: '#/$defs/none' }],
    ['a reference of the prototype', { $ref: '#/$defs/constructor' }],
    ['no schema', 7],
    ['two levels', { type: 'object', properties: { y: { $ref: '#/$defs/none' } } }],
  ])('edits %s as JSON', (_, schema) => {
    const f = one(schema, { $defs: {} })
    expect(f.kind === 'group' ? f.fields?.[0]?.kind : f.kind).toBe('json')
  })

  it.each([
    ['no object', []],
    ['no properties', { type: 'object' }],
    ['all of', { type: 'object', allOf: [], properties: { x: {} } }],
    ['any further key', { type: 'object', additionalProperties: { type: 'string' }, properties: { x: {} } }],
    [
      'more than a form holds',
      { properties: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i, {}])) },
    ],
  ])('has no form for %s', (_, schema) => {
    expect(fieldsOf(schema)).toBeNull()
  })

  it('follows a reference to a definition, and no reference of that', () => {
    const $defs = { n: { type: 'integer', title: 'N' }, m: { $ref: '#/$defs/n' } }
    expect(one({ $ref: '#/$defs/n', title: 'Mine' }, { $defs })).toMatchObject({
      kind: 'whole',
      title: 'Mine',
    })
    expect(one({ $ref: '#/$defs/m' }, { $defs }).kind).toBe('json')
  })
})

describe('read', () => {
  it.each<[unknown, string | boolean, unknown, string | undefined]>([
    [{ type: 'integer', minimum: 2 }, '1', 1, t.least(2)],
    [{ type: 'integer' }, '1.5', undefined, t.notWhole],
    [{ type: 'integer' }, 'many', undefined, t.noNumber],
    [{ type: 'integer', default: 5 }, '', undefined, undefined],
    [{ type: 'number', maximum: 1 }, '0,5', 0.5, undefined],
    [{ type: 'number', maximum: 1 }, '2', 2, t.most(1)],
    [{ type: 'number', exclusiveMinimum: 0 }, '0', 0, t.above(0)],
    [{ type: 'number', multipleOf: 0.1 }, '0.3', 0.3, undefined],
    [{ type: 'number', multipleOf: 0.25 }, '0.3', 0.3, t.step(0.25)],
    [{ type: 'string', maxLength: 2 }, 'abc', 'abc', t.tooLong(2)],
    [{ type: 'string', minLength: 2 }, '🙂', '🙂', t.tooShort(2)],
    [{ type: 'string', default: 'a' }, '', '', undefined],
    [{ type: 'string', default: 'a' }, 'a', undefined, undefined],
    [{ type: 'boolean', default: true }, false, false, undefined],
    [{ type: 'boolean' }, false, undefined, undefined],
    [{ type: 'boolean' }, true, true, undefined],
    [{ enum: ['a', 2] }, '2', 2, undefined],
    [{ type: 'array', items: { type: 'string' } }, ' a \n\nb', ['a', 'b'], undefined],
    [{ type: 'array', items: { type: 'string' }, default: ['a'] }, '', [], undefined],
    [{ type: 'array', items: { type: 'string' }, uniqueItems: true }, 'a\na', undefined, t.twice('a')],
    [{ type: 'array', items: { type: 'string' }, maxItems: 1 }, 'a\nb', undefined, t.tooMany(1)],
    [{}, '{"a":[1]}', { a: [1] }, undefined],
  ])('%j typed as %j', (schema, typed, want, error) => {
    const got = read([one(schema)], { x: typed })
    expect(got.errors.x).toBe(error)
    if (error === undefined) expect(got.values.x).toEqual(want)
  })

  it('says what is needed, also within a group, and only if the group is used', () => {
    const group = {
      type: 'object',
      required: ['y'],
      properties: { y: { type: 'string' }, z: { type: 'string' } },
    }
    expect(read([one({ type: 'string' }, { required: ['x'] })], { x: '' }).errors).toEqual({ x: t.required })
    expect(read([one(group)], { x: { y: '', z: '' } })).toEqual({ values: {}, errors: {} })
    expect(read([one(group)], { x: { y: '', z: 'a' } }).errors).toEqual({ 'x.y': t.required })
  })

  it('gives back what was saved, without what is as by default, and keeps keys that are no field', () => {
    const fields = fieldsOf(kitchenSink) ?? []
    const config = { mode: 'eager', tags: ['todo', 'fixme'], window: { days: 3, weekends: false }, rules: [] }
    const got = read(fields, draftsOf(fields, config), { ...config, later: 1 })
    expect(got).toEqual({
      values: { mode: 'eager', window: { days: 3, weekends: false }, later: 1 },
      errors: {},
    })
  })

  it('never runs a pattern, which could take forever', () => {
    const f = one({ type: 'string', pattern: '(a+)+$' })
    const began = performance.now()
    expect(read([f], { x: `${'a'.repeat(60)}!` }).errors).toEqual({})
    expect(performance.now() - began).toBeLessThan(500)
  })
})

describe('place', () => {
  const fields = fieldsOf(kitchenSink) ?? []
  const program = (rest: string) =>
    `the configuration of a.b does not fit its schema: validating root: ${rest}`
  it.each([
    [
      'validating /properties/prefix: pattern: "A" does not match regular expression "^a$"',
      'prefix',
      t.pattern,
    ],
    [
      'validating /properties/window: validating /properties/window/properties/days: maximum: 3/1 is greater than 2.0',
      'window.days',
      '3/1 is greater than 2.0',
    ],
    [
      'validating /properties/tags: validating /properties/tags/items: type: 1 has type "integer", want "string"',
      'tags',
      '1 has type "integer", want "string"',
    ],
    ['required: missing properties: ["mode"]', 'mode', t.required],
  ])('finds the field of %s', (rest, path, words) => {
    expect(place(program(rest), fields)).toEqual({ path, words })
  })

  it('tells the form what is about no field of it', () => {
    const message = program('unexpected additional properties ["z"]')
    expect(place(message, fields)).toEqual({ path: '', words: message })
  })
})

describe('same', () => {
  it('compares what is in values', () => {
    expect(same({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true)
    expect(same({ a: 1 }, { a: 1, b: 1 })).toBe(false)
    expect(same([1, 2], [2, 1])).toBe(false)
    expect(same({}, [])).toBe(false)
    expect(same({ constructor: 1 }, {})).toBe(false)
  })
})
