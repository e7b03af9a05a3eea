import type { Group, Row } from './rows'

// Drop is where a dragged item would go: before an item of a section, "" at its
// end.
export interface Drop {
  section: string
  before: string
}

// dropAt says where an item goes that is let go over a row, or past its middle.
export function dropAt(rows: Row[], groups: Group[], index: number, past: boolean): Drop | undefined {
  const row = rows[index]
  if (!row) return undefined
  const at = groups.findIndex((g) => g.section.id === row.section.id)
  const items = groups[at]?.items ?? []
  const section = row.section.id
  if (row.kind === 'item') {
    const i = items.findIndex((x) => x.id === row.item.id)
    return { section, before: items[past ? i + 1 : i]?.id ?? '' }
  }
  if (row.kind === 'section' && past) return { section, before: items[0]?.id ?? '' }
  if (row.kind === 'section') {
    const above = groups[at - 1]
    return above ? { section: above.section.id, before: '' } : { section, before: items[0]?.id ?? '' }
  }
  return { section, before: '' }
}
