import { locale } from './number'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

// Making one of these takes longer than using it a hundred times.
const distance = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const day = new Intl.DateTimeFormat(locale(), { year: 'numeric', month: 'short', day: 'numeric' })
const moment = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' })

function parse(time: string | undefined): Date | undefined {
  if (!time) return undefined
  const date = new Date(time)
  // Go's zero time stands for none.
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() <= 1 ? undefined : date
}

// relative writes how long ago a time is, or how far ahead: "5 minutes ago",
// "yesterday", "in 2 days"; after a month it is the date. No time gives "".
export function relative(time: string | undefined, now = Date.now()): string {
  const date = parse(time)
  if (!date) return ''
  const ms = date.getTime() - now
  const ago = Math.abs(ms)
  if (ago < MINUTE) return ms > 0 ? 'in a moment' : 'just now'
  if (ago < HOUR) return distance.format(Math.trunc(ms / MINUTE), 'minute')
  if (ago < DAY) return distance.format(Math.trunc(ms / HOUR), 'hour')
  if (ago < 31 * DAY) return distance.format(Math.trunc(ms / DAY), 'day')
  return day.format(date)
}

// absolute writes a time in full, in the reader's time zone. No time gives "".
export function absolute(time: string | undefined): string {
  const date = parse(time)
  return date ? moment.format(date) : ''
}
