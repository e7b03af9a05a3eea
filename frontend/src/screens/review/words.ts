// Part is a run of words of a text that was compared with another.
export interface Part {
  kind: 'same' | 'removed' | 'added'
  text: string
}

// Above this many words times words two texts are not compared word by word.
const MOST = 1_000_000

// compareWords gives what differs between two texts, word by word, with the
// spaces between: first what was removed, then what was added. Texts that are
// too long, or have nothing in common, are removed and added as a whole.
export function compareWords(before: string, after: string): Part[] {
  const a = split(before)
  const b = split(after)
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end++
  const parts: Part[] = []
  push(parts, 'same', a.slice(0, start).join(''))
  for (const p of middle(a.slice(start, a.length - end), b.slice(start, b.length - end)))
    push(parts, p.kind, p.text)
  push(parts, 'same', a.slice(a.length - end).join(''))
  return joined(parts)
}

function split(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
}

// middle is the longest common subsequence of two lists of words.
function middle(a: string[], b: string[]): Part[] {
  const out: Part[] = []
  if (!a.length || !b.length || a.length * b.length > MOST) {
    push(out, 'removed', a.join(''))
    push(out, 'added', b.join(''))
    return out
  }
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push(out, 'same', a[i] ?? '')
      i++
      j++
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) {
      push(out, 'removed', a[i++] ?? '')
    } else {
      push(out, 'added', b[j++] ?? '')
    }
  }
  return out
}

function push(parts: Part[], kind: Part['kind'], text: string): void {
  if (!text) return
  const last = parts.at(-1)
  if (last?.kind === kind) last.text += text
  else parts.push({ kind, text })
}

// joined makes one change of changes with nothing but a space or a sign between
// them, which nobody could read otherwise.
function joined(parts: Part[]): Part[] {
  const out: Part[] = []
  let removed = ''
  let added = ''
  const flush = () => {
    push(out, 'removed', removed)
    push(out, 'added', added)
    removed = ''
    added = ''
  }
  parts.forEach((p, i) => {
    if (p.kind === 'removed') removed += p.text
    else if (p.kind === 'added') added += p.text
    else if (i > 0 && i < parts.length - 1 && !/[\p{L}\p{N}]/u.test(p.text)) {
      removed += p.text
      added += p.text
    } else {
      flush()
      push(out, 'same', p.text)
    }
  })
  flush()
  return out
}
