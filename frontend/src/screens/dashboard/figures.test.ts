import { describe, expect, it } from 'vitest'
import type { Stats } from '../../bridge'
import { due, growth, localDay, today, unpriced } from './figures'

function stats(over: Partial<Stats>): Stats {
  return {
    items: 0,
    sessions: 0,
    turns: 0,
    turns_read: 0,
    branches: 0,
    growth: [],
    sections: [],
    confidence: [],
    spend: [],
    cap: { calls: -1, tokens: -1, money: -1 },
    ...over,
  }
}

describe('growth', () => {
  it('draws all sections together, and each', () => {
    const g = growth(
      stats({
        sections: [{ id: 'facts', heading: 'Facts', items: 3 }],
        growth: [
          { day: '2026-11-01', sections: { facts: 1, odd: 2 } },
          { day: '2026-11-04', sections: { facts: 3 } },
        ],
      }),
      '2026-11-20',
    )
    expect(g.days).toEqual(['2026-10-31', '2026-11-01', '2026-11-04', '2026-11-20'])
    expect(g.series.map((s) => [s.label, s.values])).toEqual([
      ['All sections', [0, 3, 3, 3]],
      ['Facts', [0, 1, 3, 3]],
      ['odd', [0, 2, 0, 0]],
    ])
  })

  it('makes a line of one day, and none of nothing', () => {
    expect(growth(stats({ growth: [{ day: '2026-03-01', sections: { a: 2 } }] }), '2026-03-01').days).toEqual(
      ['2026-02-28', '2026-03-01'],
    )
    expect(growth(stats({}), '2026-03-01').days).toEqual([])
  })

  it('puts the smaller of many sections into one line', () => {
    const sections = { a: 9, b: 8, c: 7, d: 6, e: 5, f: 4 }
    const g = growth(stats({ growth: [{ day: '2026-11-01', sections }] }), '2026-11-01')
    expect(g.series.map((s) => [s.label, s.values[1]])).toEqual([
      ['All sections', 39],
      ['a', 9],
      ['b', 8],
      ['c', 7],
      ['Other', 15],
    ])
  })

  it('leaves out sections that never had an item', () => {
    const g = growth(stats({ growth: [{ day: '2026-11-01', sections: { a: 0, b: 2 } }] }), '2026-11-01')
    expect(g.series.map((s) => s.label)).toEqual(['All sections', 'b'])
  })
})

describe('spend', () => {
  const spent = stats({
    spend: [
      { day: '2026-11-27', calls: 1, tokens: 10, money: 5, unpriced: 1 },
      { day: '2026-11-28', calls: 2, tokens: 20, money: 7, unpriced: 2 },
    ],
  })
  it('of a day is nothing where there is none', () => {
    expect(today(spent, '2026-11-28')).toMatchObject({ calls: 2, tokens: 20, money: 7 })
    expect(today(spent, '2026-11-29')).toEqual({ calls: 0, tokens: 0, money: 0 })
  })
  it('counts what has no price', () => expect(unpriced(spent)).toBe(3))
  it('goes by the day where the person is', () => {
    expect(localDay(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
  })
})

describe('due', () => {
  const now = Date.parse('2026-11-28T12:00:00Z')
  it.each([
    [undefined, false],
    ['2026-11-28T12:00:01Z', false],
    ['2026-11-28T12:00:00Z', true],
    ['2026-11-01T03:00:00Z', true],
  ])('%s: %s', (time, want) => expect(due(time, now)).toBe(want))
})
