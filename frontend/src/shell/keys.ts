import { screenNames } from '../state/route.svelte'

// keyOf says what a key does everywhere: the number of a screen, an overlay, or
// nothing.
export function keyOf(e: KeyboardEvent): number | 'palette' | 'shortcuts' | undefined {
  const command = (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey
  if (command && e.key.toLowerCase() === 'k') return 'palette'
  if (command && e.key >= '1' && e.key <= String(screenNames.length)) return Number(e.key) - 1
  if (e.key === '?' && !e.ctrlKey && !e.metaKey && !e.altKey && !writing(e.target)) return 'shortcuts'
  return undefined
}

// writing says whether keys go into a text.
export function writing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}
