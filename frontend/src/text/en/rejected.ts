import type { Rejection } from '../../bridge'
import { plural } from '../../format/number'

const MOST = 3 // reasons that are named

// notLetIn says how much that was found did not go in, and why.
export function notLetIn(rejected: Rejection[]): string {
  const times = new Map<string, number>()
  for (const { reason } of rejected) times.set(reason, (times.get(reason) ?? 0) + 1)
  const reasons = [...times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const named = reasons.slice(0, MOST).map(([reason, n]) => `${n} ${reason}`)
  const why = named.length ? `: ${named.join(', ')}` : ''
  const more = reasons.length > MOST ? ' and other reasons' : ''
  return `${plural(rejected.length, 'finding was', 'findings were')} not let in${why}${more}`
}
