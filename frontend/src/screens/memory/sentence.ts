import { type Block, plainOf } from './markdown'

// Hit is a part of a block, from and to being places in what it says.
export interface Hit {
  block: number
  from: number
  to: number
}

const INSIDE = 0.8 // of a sentence's words, so that it counts as part of the item
const PART = 0.2 // of the item's words that such a sentence must have
const WHOLE = 0.7 // of the item's words, so that a sentence says it
const NEAREST = 0.4 // how alike the nearest must be where none counts

const small = new Set(
  'the and for that this with are was were from not but you your have has its into then than there when will'.split(
    ' ',
  ),
)

function words(text: string): Set<string> {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return new Set(found.filter((w) => !small.has(w)))
}

// sentencesOf finds which sentences of a text an item was made of: those that say
// it or a part of it, else the one that is nearest; none, if nothing is near.
export function sentencesOf(blocks: Block[], item: string): Hit[] {
  const wanted = words(item)
  if (!wanted.size) return []
  const hits: Hit[] = []
  let best = NEAREST
  let nearest: Hit | undefined
  const split = new Intl.Segmenter('en', { granularity: 'sentence' })
  for (const [block, b] of blocks.entries()) {
    if (b.kind === 'code') continue
    for (const { segment, index } of split.segment(plainOf(b))) {
      const own = words(segment)
      let common = 0
      for (const w of own) if (wanted.has(w)) common++
      if (!common) continue
      const hit = { block, from: index, to: index + segment.trimEnd().length }
      const [ofItem, ofSentence] = [common / wanted.size, common / own.size]
      if (ofItem >= WHOLE || (ofSentence >= INSIDE && ofItem >= PART)) hits.push(hit)
      const alike = (2 * common) / (own.size + wanted.size)
      if (alike > best) [best, nearest] = [alike, hit]
    }
  }
  return hits.length || !nearest ? hits : [nearest]
}
