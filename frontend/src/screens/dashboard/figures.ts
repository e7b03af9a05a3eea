import type { Stats } from '../../bridge'
import type { Series } from '../../components'
import { text } from '../../text'

const t = text.dashboard

export interface Growth {
  days: string[]
  series: Series[]
}

// growth gives a line for all sections together and one for each that ever had
// an item: the four largest, and the rest as one.
export function growth(stats: Stats): Growth {
  const days = stats.growth.map((g) => g.day)
  const totals = stats.growth.map((g) => sum(Object.values(g.sections)))
  const last = stats.growth.at(-1)?.sections ?? {}
  const ids = [...new Set(stats.growth.flatMap((g) => Object.keys(g.sections)))]
    .filter((id) => stats.growth.some((g) => (g.sections[id] ?? 0) > 0))
    .sort((a, b) => (last[b] ?? 0) - (last[a] ?? 0))
  const heading = (id: string) => stats.sections.find((s) => s.id === id)?.heading ?? id
  const series: Series[] = [{ label: t.all, values: totals, kind: 'area', color: 1 }]
  const shown = ids.length > 5 ? ids.slice(0, 3) : ids.slice(0, 4)
  shown.forEach((id, i) => {
    series.push({
      label: heading(id),
      values: stats.growth.map((g) => g.sections[id] ?? 0),
      color: color(i + 1),
    })
  })
  const rest = ids.slice(shown.length)
  if (rest.length) {
    const values = stats.growth.map((g) => sum(rest.map((id) => g.sections[id] ?? 0)))
    series.push({ label: t.other, values, color: color(shown.length + 1) })
  }
  return { days, series }
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
