import { describe, expect, it } from 'vitest'
import type { Item, Memory } from '../../bridge'
import { dropAt } from './drop'
import { lineChanges } from './lines'
import { groupsOf, matcher, oneLine, rowsOf } from './rows'

const item = (id: string, section: string, content = `words of ${id}`): Item => ({
  id,
  section,
  content,
  confidence: 1,
  state: 'active',
  created: '',
  updated: '',
})

const memory: Memory = {
  branch: 'main',
  exists: true,
  sections: [
    { id: 'facts', heading: 'Facts' },
    { id: 'empty', heading: 'Empty' },
    { id: 'bugs', heading: 'Bugs' },
  ],
  items: [
    item('a', 'facts'),
    item('c', 'bugs'),
    item('b', 'facts'),
    item('x', 'unheard-of'),
    { ...item('gone', 'facts'), state: 'superseded' },
  ],
}
const groups = groupsOf(memory)
const keys = (search = '', adding = '', kept = '') => rowsOf(groups, search, adding, kept).map((r) => r.key)

describe('rows', () => {
  it('stand under their sections, in order, and nothing active is hidden', () => {
    expect(keys()).toEqual(['s:facts', 'a', 'b', 's:empty', 'e:empty', 's:bugs', 'c', 's:unheard-of', 'x'])
  })

  it('of a search leave out sections without a hit, but not what is written in', () => {
    expect(keys('of c')).toEqual(['s:bugs', 'c'])
    expect(keys('of c', 'facts')).toEqual(['s:facts', 'n:facts', 's:bugs', 'c'])
    expect(keys('of c', '', 'a')).toEqual(['s:facts', 'a', 's:bugs', 'c'])
    expect(keys('nothing like it')).toEqual([])
  })

  it('count positions over all sections', () => {
    const positions = rowsOf(groups, '', '', '').flatMap((r) => (r.kind === 'item' ? [r.position] : []))
    expect(positions).toEqual([1, 2, 3, 4])
  })
})

describe('matcher', () => {
  it('wants every word, in any order and case', () => {
    const it_ = item('i', 'facts', 'The Basket lives ＦＯＲ 14 days')
    expect(matcher('days basket')?.(it_)).toBe(true)
    expect(matcher('for')?.(it_)).toBe(true)
    expect(matcher('days bucket')?.(it_)).toBe(false)
    expect(matcher('  ')).toBeUndefined()
  })
})

describe('oneLine', () => {
  it.each([
    ['one', 'one'],
    ['one\ntwo', 'one two'],
    ['one  \r\n\r\n\t two', 'one two'],
    ['a\u2028b\u2029c\u0085d', 'a b c d'],
    ['keeps  double spaces', 'keeps  double spaces'],
  ])('%j is %j', (from, to) => expect(oneLine(from)).toBe(to))
})

describe('dropAt', () => {
  const rows = rowsOf(groups, '', '', '')
  const at = (key: string, past: boolean) =>
    dropAt(
      rows,
      groups,
      rows.findIndex((r) => r.key === key),
      past,
    )
  it('puts an item before or after the one under it', () => {
    expect(at('b', false)).toEqual({ section: 'facts', before: 'b' })
    expect(at('a', true)).toEqual({ section: 'facts', before: 'b' })
    expect(at('b', true)).toEqual({ section: 'facts', before: '' })
  })
  it('puts it at the end above a heading, first below one', () => {
    expect(at('s:bugs', false)).toEqual({ section: 'empty', before: '' })
    expect(at('s:bugs', true)).toEqual({ section: 'bugs', before: 'c' })
    expect(at('s:facts', false)).toEqual({ section: 'facts', before: 'a' })
  })
  it('fills an empty section', () => {
    expect(at('e:empty', false)).toEqual({ section: 'empty', before: '' })
    expect(dropAt(rows, groups, 99, false)).toBeUndefined()
  })
})

describe('lineChanges', () => {
  it('counts lines that came and went, not those that moved', () => {
    expect(lineChanges('a\nb\nc\n', 'c\na\nd\nd\n')).toEqual({ added: 2, removed: 1 })
    expect(lineChanges('a\r\nb', 'a\nb')).toEqual({ added: 0, removed: 0 })
    expect(lineChanges('', 'a\n\n')).toEqual({ added: 1, removed: 0 })
  })
})
