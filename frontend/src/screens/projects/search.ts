// holds says whether every word of the query stands in one of the texts.
export function holds(query: string, ...texts: string[]): boolean {
  const hay = texts.join(' ').toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word))
}
