import type { Stats } from '../../bridge'
import type { Series } from '../../components'
import { text } from '../../text'

const t = text.dashboard

export interface Growth {
  days: string[]
  series: Series[]
}

// growth gives a line for all sections together and one for each that ever had
// an item: the four largest, and the rest as one. The lines begin with nothing, on
// the day before the first, and end today: one day is a line too.
export function growth(stats: Stats, now: string): Growth {
  const all = withEnds(stats.growth, now)
  const days = all.map((g) => g.day)
  const totals = all.map((g) => sum(Object.values(g.sections)))
  const last = all.at(-1)?.sections ?? {}
  const ids = [...new Set(all.flatMap((g) => Object.keys(g.sections)))]
    .filter((id) => all.some((g) => (g.sections[id] ?? 0) > 0))
    .sort((a, b) => (last[b] ?? 0) - (last[a] ?? 0))
  const heading = (id: string) => stats.sections.find((s) => s.id === id)?.heading ?? id
  const series: Series[] = [{ label: t.all, values: totals, kind: 'area', color: 1 }]
  const shown = ids.length > 5 ? ids.slice(0, 3) : ids.slice(0, 4)
  shown.forEach((id, i) => {
    series.push({
      label: heading(id),
      values: all.map((g) => g.sections[id] ?? 0),
      color: color(i + 1),
    })
  })
  const rest = ids.slice(shown.length)
  if (rest.length) {
    const values = all.map((g) => sum(rest.map((id) => g.sections[id] ?? 0)))
    series.push({ label: t.other, values, color: color(shown.length + 1) })
  }
  return { days, series }
}

function withEnds(growth: Stats['growth'], now: string): Stats['growth'] {
  const first = growth[0]
  const last = growth.at(-1)
  if (!first || !last) return growth
  const before = new Date(`${first.day}T12:00:00`)
  before.setDate(before.getDate() - 1)
  const end = last.day < now ? [{ day: now, sections: last.sections }] : []
  return [{ day: localDay(before), sections: {} }, ...growth, ...end]
}

function color(i: number): Series['color'] {
  return ((i % 5) + 1) as Series['color']
}

function sum(values: number[]): number {
  return values.reduce((n, v) => n + v, 0)
}

// today is what was spent on a day; nothing if it is not among the days.
export function today(stats: Stats, day: string): { calls: number; tokens: number; money: number } {
  return stats.spend.find((s) => s.day === day) ?? { calls: 0, tokens: 0, money: 0 }
}

// localDay writes a day as the program counts it: where the person is.
export function localDay(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

// unpriced counts the calls whose price is not known.
export function unpriced(stats: Stats): number {
  return sum(stats.spend.map((s) => s.unpriced))
}

// due says whether a time has come.
export function due(time: string | undefined, now = Date.now()): boolean {
  return time !== undefined && Date.parse(time) <= now
}
