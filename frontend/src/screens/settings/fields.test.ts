import { describe, expect, it } from 'vitest'
import type { Setting } from '../../bridge'
import { text } from '../../text'
import { amount, local, wrong } from './fields'

const e = text.settings.errors

function setting(over: Partial<Setting>): Setting {
  return { key: 'x', value: null, from: 'default', kind: 'text', ...over }
}

describe('wrong', () => {
  const tokens = setting({ kind: 'int', min: 50, max: 8000 })
  const dollars = setting({ kind: 'number', min: -1, max: 1e6 })
  const targets = setting({ key: 'inject.targets', kind: 'list' })
  const base = setting({ key: 'model.base_url' })
  it.each<[Setting, unknown, string | undefined]>([
    [tokens, 700, undefined],
    [tokens, 1.5, e.whole],
    [tokens, 49, e.least(50)],
    [tokens, 8001, e.most(8000)],
    [tokens, Number.NaN, e.number],
    [dollars, 0.25, undefined],
    [dollars, -1, undefined],
    [dollars, -0.5, e.negative],
    [dollars, -2, e.negative],
    [targets, ['CLAUDE.md', 'docs/AGENTS.md'], undefined],
    [targets, [], e.one],
    [targets, ['a', 'a'], e.twice('a')],
    [targets, ['../a'], e.path('../a')],
    [targets, ['/etc/a'], e.path('/etc/a')],
    [targets, ['C:\\a'], e.path('C:\\a')],
    [setting({ key: 'sources', kind: 'list' }), [], undefined],
    [base, '', undefined],
    [base, 'https://models.example/v1', undefined],
    [base, 'http://127.0.0.1:11434/v1', undefined],
    [base, 'http://[::1]:1234', undefined],
    [base, 'http://models.example', e.address],
    [base, 'https://me:secret@models.example', e.address],
    [base, 'javascript:alert(1)', e.address],
    [base, 'models', e.address],
  ])('%o: %j', (s, value, want) => {
    expect(wrong(s, value)).toBe(want)
  })
})

describe('amount', () => {
  it.each([
    ['1,000,000', 1_000_000],
    ['1 000', 1000],
    ['0.50', 0.5],
    ['0,5', 0.5],
    ['.5', 0.5],
    ['-1', -1],
    ['', Number.NaN],
    ['1e9', Number.NaN],
    ['12 calls', Number.NaN],
  ])('%s', (typed, want) => {
    expect(amount(typed)).toBe(want)
  })
})

describe('local', () => {
  it('knows the addresses of this machine', () => {
    expect(['http://localhost:1', 'http://127.0.0.1', 'http://[::1]'].map(local)).toEqual([true, true, true])
    expect(['https://127.example', '', null].map(local)).toEqual([false, false, false])
  })
})
