import type { Item, Memory, Section } from '../../bridge'
import { text } from '../../text'

// Row is a line of the list: a section's heading, one of its items, the word
// that it has none, or the place where a new item is written.
export type Row =
  | { kind: 'section'; key: string; section: Section; items: number; shown: number }
  | { kind: 'item'; key: string; section: Section; item: Item; position: number }
  | { kind: 'empty'; key: string; section: Section }
  | { kind: 'new'; key: string; section: Section }

// Group is a section with its active items, in order.
export interface Group {
  section: Section
  items: Item[]
}

// groupsOf puts items under their sections. Items of a section that the memory
// does not list come last, so that nothing is hidden.
export function groupsOf(memory: Memory): Group[] {
  const groups = new Map<string, Group>(memory.sections.map((s) => [s.id, { section: s, items: [] }]))
  for (const item of memory.items) {
    if (item.state !== 'active') continue
    let group = groups.get(item.section)
    if (!group) {
      group = { section: { id: item.section, heading: headingOf(item.section) }, items: [] }
      groups.set(item.section, group)
    }
    group.items.push(item)
  }
  return [...groups.values()]
}

export function headingOf(section: string, sections: Section[] = []): string {
  return sections.find((s) => s.id === section)?.heading ?? text.general.sections[section] ?? section
}

const folded = new WeakMap<Item, string>()

function fold(words: string): string {
  return words.normalize('NFKC').toLowerCase()
}

// matcher gives what says whether an item has all words of a search in it.
export function matcher(search: string): ((item: Item) => boolean) | undefined {
  const words = fold(search).split(/\s+/).filter(Boolean)
  if (!words.length) return undefined
  return (item) => {
    let content = folded.get(item)
    if (content === undefined) {
      content = fold(item.content)
      folded.set(item, content)
    }
    return words.every((w) => content.includes(w))
  }
}

// rowsOf lays out what is shown. adding is the id of the section that a new item
// is written in. kept is the id of an item that stays shown, matching or not.
export function rowsOf(groups: Group[], search: string, adding: string, kept: string): Row[] {
  const matches = matcher(search)
  const rows: Row[] = []
  let position = 0
  for (const { section, items } of groups) {
    const shown = matches ? items.filter((i) => i.id === kept || matches(i)) : items
    const writing = adding === section.id
    if (matches && !shown.length && !writing) continue
    rows.push({ kind: 'section', key: `s:${section.id}`, section, items: items.length, shown: shown.length })
    for (const item of shown) rows.push({ kind: 'item', key: item.id, section, item, position: ++position })
    if (writing) rows.push({ kind: 'new', key: `n:${section.id}`, section })
    else if (!items.length) rows.push({ kind: 'empty', key: `e:${section.id}`, section })
  }
  return rows
}

// oneLine makes what is typed or pasted one line, as an item is.
export function oneLine(words: string): string {
  return words.replace(/[\s\u0085\u2028\u2029]*[\n\r\u0085\u2028\u2029][\s\u0085\u2028\u2029]*/g, ' ')
}
