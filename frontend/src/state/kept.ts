// What the window remembers between starts. Storage may be full or forbidden:
// then it remembers nothing.
export function kept(key: string): string | null {
  try {
    return localStorage.getItem(`recollect.${key}`)
  } catch {
    return null
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(`recollect.${key}`, value)
  } catch {
    // Nothing is lost but a habit.
  }
}
