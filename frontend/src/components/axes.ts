import type uPlot from 'uplot'

// The axes of charts: whole days, whole numbers, and labels that neither overlap
// nor say the same twice, however wide the chart is.

const DAY = 86_400
const MONTH = 30 * DAY
const YEAR = 365 * DAY
const GAP = 8 // pixels between two labels

// Values are whole numbers: so are the steps between the lines.
export const wholeSteps = Array.from({ length: 12 }, (_, e) => [10 ** e, 2 * 10 ** e, 5 * 10 ** e]).flat()

// daySteps are the steps that an axis of days may take. A day is the least that
// the figures know; of more than a year the labels name months, which tell years
// apart.
export function daySteps(xs: readonly number[]): number[] {
  const span = (xs.at(-1) ?? 0) - (xs[0] ?? 0)
  const months = [1, 2, 3, 6].map((n) => n * MONTH)
  const years = [1, 2, 5, 10, 20, 50, 100].map((n) => n * YEAR)
  const days = span > 300 * DAY ? [] : [1, 2, 3, 5, 7, 14, 28].map((n) => n * DAY)
  return [...days, ...months, ...years]
}

// dayLabel writes a day as the steps beside it ask for.
export function dayLabel(seconds: number, step: number): string {
  const date = new Date(seconds * 1000)
  if (step >= YEAR) return String(date.getFullYear())
  if (step >= MONTH) return date.toLocaleDateString('en', { month: 'short', year: 'numeric' })
  return date.toLocaleDateString('en', { day: 'numeric', month: 'short' })
}

// once empties what says the same as the label before it.
export function once(labels: readonly string[]): string[] {
  let last: string | undefined
  return labels.map((label) => {
    if (label === last) return ''
    last = label
    return label
  })
}

// every is how many words one stands for on an axis of so many pixels.
export function every(words: readonly string[], pixels: number, width: (word: string) => number): number {
  const wide = Math.max(0, ...words.map(width)) + GAP
  return Math.max(1, Math.ceil((wide * words.length) / Math.max(1, pixels)))
}

// measure gives the width of words in the font of the axes, and about that where
// nothing can be drawn.
export function measure(u: uPlot, font: string): (word: string) => number {
  const ctx = u.ctx as CanvasRenderingContext2D | null
  return (word) => {
    if (!ctx) return word.length * 7
    ctx.font = font
    return ctx.measureText(word).width
  }
}
