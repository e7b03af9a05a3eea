import type { Item, Memory, Tried, TriedItem } from '../../bridge'
import { text } from '../../text'

// Band is one section with what each column has in it.
export interface Band {
  id: string
  heading: string
  today: Item[]
  found: TriedItem[][] // of each trial
}

// bands lines today's memory and the trials up by section: first the memory's
// own in its order, then those that only a trial names.
export function bands(memory: Memory | undefined, trials: (Tried | undefined)[]): Band[] {
  const out = new Map<string, Band>()
  const at = (id: string, heading: string): Band => {
    const band = out.get(id) ?? { id, heading, today: [], found: trials.map(() => []) }
    out.set(id, band)
    return band
  }
  for (const s of memory?.sections ?? []) at(s.id, s.heading)
  for (const item of memory?.items ?? []) at(item.section, name(item.section)).today.push(item)
  for (const [i, tried] of trials.entries()) {
    for (const item of tried?.items ?? []) at(item.section, name(item.section)).found[i]?.push(item)
  }
  return [...out.values()].filter((b) => b.today.length || b.found.some((f) => f.length))
}

function name(section: string): string {
  return text.general.sections[section] ?? section
}
