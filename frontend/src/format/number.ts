// locale is the reader's language if Intl knows it, else English.
export function locale(): string {
  try {
    return Intl.getCanonicalLocales(navigator.language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

// number writes a whole number: "12,345".
export function number(n: number): string {
  return whole.format(n)
}

// compact writes a number in few signs: "12.3K".
export function compact(n: number): string {
  return Math.abs(n) < 10_000 ? whole.format(n) : short.format(n)
}

// plural counts things: "1 item", "2 items".
export function plural(n: number, one: string, many: string): string {
  return `${number(n)} ${n === 1 ? one : many}`
}

// percent writes a share from 0 to 1: "85%".
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}

// money writes millionths of a US dollar: "$0.0042", "$1.25".
export function money(micros: number): string {
  const dollars = micros / 1e6
  if (dollars !== 0 && Math.abs(dollars) < 0.1) return `$${dollars.toFixed(4)}`
  return `$${dollars.toFixed(2)}`
}

// duration writes nanoseconds: "12 ms", "3.4 s", "2 min 5 s".
export function duration(ns: number): string {
  const ms = ns / 1e6
  if (ms < 1) return 'under 1 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  const s = ms / 1000
  if (s < 60) return `${s.toFixed(1)} s`
  return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`
}

// bytes writes a size: "512 B", "3.2 MB".
export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  let i = 0
  let value = n
  while (value >= 1000 && i < units.length - 1) {
    value /= 1000
    i++
  }
  return `${i === 0 ? value : value.toFixed(1)} ${units[i]}`
}
