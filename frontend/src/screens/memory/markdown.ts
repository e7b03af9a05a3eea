import { lexer, type Token, type Tokens } from 'marked'

// Span is a run of words that look alike.
export interface Span {
  text: string
  code?: boolean
  strong?: boolean
  em?: boolean
}

// Block is a paragraph, a heading, an item of a list, a row of a table, or a
// piece of code. Its depth is that of the lists and quotes that it stands in.
export interface Block {
  kind: 'words' | 'heading' | 'code'
  spans: Span[]
  depth: number
  bullet?: string // before an item of a list
  quoted?: boolean
}

type Look = Omit<Span, 'text'>
type Place = Pick<Block, 'depth' | 'quoted'>

// blocksOf reads Markdown as what it says, never as what it could do: HTML is
// shown as text, a link as its words with its address, a picture as its name.
export function blocksOf(markdown: string): Block[] {
  const out: Block[] = []
  add(out, lexer(markdown), { depth: 0 })
  return out
}

// asTyped is words that are not Markdown but for code in backquotes.
export function asTyped(words: string): Block[] {
  const spans = words
    .split(/(`[^`\n]+`)/)
    .filter(Boolean)
    .map((part) =>
      part.length > 2 && part.startsWith('`') && part.endsWith('`')
        ? { text: part.slice(1, -1), code: true }
        : { text: part },
    )
  return [{ kind: 'words', spans, depth: 0 }]
}

// plainOf is what a block says.
export function plainOf(block: Block): string {
  return block.spans.map((s) => s.text).join('')
}

function add(out: Block[], tokens: Token[], place: Place): void {
  for (const token of tokens) {
    switch (token.type) {
      case 'space':
      case 'def':
      case 'hr':
        break
      case 'list':
        for (const [i, item] of (token as Tokens.List).items.entries())
          addItem(out, item, place, bulletOf(token as Tokens.List, i, item))
        break
      case 'blockquote':
        add(out, (token as Tokens.Blockquote).tokens, { depth: place.depth + 1, quoted: true })
        break
      case 'code':
        out.push({ ...place, kind: 'code', spans: [{ text: token.text }] })
        break
      case 'table':
        addTable(out, token as Tokens.Table, place)
        break
      default:
        out.push({
          ...place,
          kind: token.type === 'heading' ? 'heading' : 'words',
          spans: spansOf('tokens' in token && token.tokens ? token.tokens : [token], {}),
        })
    }
  }
}

function bulletOf(list: Tokens.List, i: number, item: Tokens.ListItem): string {
  if (item.task) return item.checked ? '☑' : '☐'
  return list.ordered ? `${Number(list.start || 1) + i}.` : '•'
}

// An item's first block carries its bullet.
function addItem(out: Block[], item: Tokens.ListItem, place: Place, bullet: string): void {
  const own: Block[] = []
  add(own, item.tokens, { ...place, depth: place.depth + 1 })
  const [first] = own
  if (first && first.kind !== 'code' && !first.bullet) first.bullet = bullet
  else own.unshift({ kind: 'words', spans: [], depth: place.depth + 1, bullet })
  out.push(...own)
}

function addTable(out: Block[], table: Tokens.Table, place: Place): void {
  for (const [i, row] of [table.header, ...table.rows].entries()) {
    const spans = row.flatMap((cell, n) => [
      ...(n ? [{ text: ' | ' }] : []),
      ...spansOf(cell.tokens, i ? {} : { strong: true }),
    ])
    out.push({ ...place, kind: 'words', spans })
  }
}

function spansOf(tokens: Token[], look: Look): Span[] {
  return tokens.flatMap((token): Span[] => {
    switch (token.type) {
      case 'strong':
        return spansOf(token.tokens ?? [], { ...look, strong: true })
      case 'em':
        return spansOf(token.tokens ?? [], { ...look, em: true })
      case 'codespan':
        return [{ ...look, text: token.text, code: true }]
      case 'br':
        return [{ ...look, text: '\n' }]
      case 'link': {
        const words = spansOf(token.tokens ?? [], look)
        const said = words.map((s) => s.text).join('')
        return token.href.endsWith(said) ? words : [...words, { ...look, text: ` (${token.href})` }]
      }
      case 'image':
        return [{ ...look, text: `${token.text} (${token.href})` }]
      case 'html':
      case 'checkbox':
        return token.type === 'html' ? [{ ...look, text: token.raw }] : []
      case 'escape':
        return [{ ...look, text: token.text }]
    }
    return 'tokens' in token && token.tokens
      ? spansOf(token.tokens, look)
      : [{ ...look, text: 'text' in token ? token.text : token.raw }]
  })
}
