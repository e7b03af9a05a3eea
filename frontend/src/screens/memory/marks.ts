import type { Injection, Item, Origin } from '../../bridge'

const DAY = 86_400_000
const OLD = 90 * DAY

// saidAt is when an item was last said, as far as anybody noted it.
export function saidAt(item: Item): string {
  return saidIn(item.origins) ?? item.updated
}

// saidIn is the last time of any of the origins; undefined where none is known.
export function saidIn(origins: Origin[] = []): string | undefined {
  const times = origins.map((o) => o.time).filter((time) => Date.parse(time) > 0)
  return times.length ? times.reduce((a, b) => (Date.parse(b) > Date.parse(a) ? b : a)) : undefined
}

export function isOld(item: Item, now = Date.now()): boolean {
  return now - Date.parse(saidAt(item)) > OLD
}

// Sureness is a confidence at a glance. What is found without a model is mostly
// between 30 and 50 percent: the bounds tell such items from each other.
export type Sureness = 'sure' | 'fairly' | 'unsure'

export function surenessOf(confidence: number): Sureness {
  if (confidence >= 0.8) return 'sure'
  return confidence >= 0.4 ? 'fairly' : 'unsure'
}

// Told says what assistants hear of an item: it stands in a file that they read,
// or it would once the files are written.
export type Told = 'now' | 'next'

export function toldOf(injection: Injection | undefined): ReadonlyMap<string, Told> {
  const told = new Map<string, Told>()
  for (const { id } of injection?.block.shown ?? []) told.set(id, 'next')
  for (const id of injection?.standing ?? []) told.set(id, 'now')
  return told
}
