// lastPart is where the last name of a path begins, with its separator: what is
// before may be cut, what follows tells one path from another.
export function lastPart(path: string): number {
  const end = path.replace(/[\\/]+$/, '').length
  return Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1), 0)
}
