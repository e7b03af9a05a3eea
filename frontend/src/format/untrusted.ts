// Memory, transcripts and plug-ins may hold characters that make a reader see
// something else than what is there: they turn text around, hide it, or are
// not seen at all. They are shown by name instead.
//
// The zero-width joiner and non-joiner stay: scripts and emoji need them.
const odd =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

export interface Piece {
  text: string
  odd: boolean // stands for a character that is not seen
}

// pieces splits text where such a character is. A return before a new line
// is dropped.
export function pieces(text: string): Piece[] {
  const clean = text.replaceAll('\r\n', '\n')
  const out: Piece[] = []
  let end = 0
  for (const m of clean.matchAll(odd)) {
    if (m.index > end) out.push({ text: clean.slice(end, m.index), odd: false })
    out.push({ text: name(m[0]), odd: true })
    end = m.index + m[0].length
  }
  if (end < clean.length) out.push({ text: clean.slice(end), odd: false })
  return out
}

// plain gives text for where only a string can stand: titles, labels.
export function plain(text: string): string {
  return pieces(text)
    .map((p) => p.text)
    .join('')
}

function name(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
