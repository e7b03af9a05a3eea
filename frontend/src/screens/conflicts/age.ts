const DAY = 86_400_000

// age says how old something is in the words that fit: "today", "yesterday",
// "34 days ago", "4 months ago". No time gives "".
export function age(time: string | undefined, now = Date.now()): string {
  const at = new Date(time ?? '').getTime()
  // Go's zero time stands for none.
  if (Number.isNaN(at) || new Date(at).getUTCFullYear() <= 1) return ''
  const days = Math.round((midnight(at) - midnight(now)) / DAY)
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  if (days > -90) return words.format(days, 'day')
  if (days > -730) return words.format(Math.round(days / 30.44), 'month')
  return words.format(Math.round(days / 365.25), 'year')
}

function midnight(ms: number): number {
  const d = new Date(ms)
  return Date.UTC(d.getFullYear(), d.getMonth(), d.getDate())
}
