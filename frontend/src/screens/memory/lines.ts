// lineChanges counts the lines that one text has and another has not, in any
// order: an item that only moved is no change.
export function lineChanges(before: string, after: string): { added: number; removed: number } {
  const counts = new Map<string, number>()
  for (const line of before.split(/\r?\n/)) counts.set(line, (counts.get(line) ?? 0) + 1)
  let added = 0
  for (const line of after.split(/\r?\n/)) {
    const left = counts.get(line) ?? 0
    if (left) counts.set(line, left - 1)
    else if (line.trim()) added++
  }
  let removed = 0
  for (const [line, left] of counts) if (line.trim()) removed += left
  return { added, removed }
}
