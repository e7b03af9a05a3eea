import { describe, expect, it } from 'vitest'
import { compareWords } from './words'

const show = (before: string, after: string) =>
  compareWords(before, after)
    .map((p) => ({ same: p.text, removed: `[-${p.text}]`, added: `[+${p.text}]` })[p.kind])
    .join('')

describe('compareWords', () => {
  it.each([
    ['', '', ''],
    ['same words', 'same words', 'same words'],
    ['', 'new', '[+new]'],
    ['old', '', '[-old]'],
    ['use port 80', 'use port 443', 'use port [-80][+443]'],
    ['a b c', 'a c', 'a [-b ]c'],
    ['tests live beside it', 'all tests live there', '[+all ]tests live [-beside it][+there]'],
    ['one, two', 'one; two', 'one[-,][+;] two'],
    ['the red big house', 'the old small house', 'the [-red big][+old small] house'],
    ['naïve café', 'naïve cafés', 'naïve [-café][+cafés]'],
  ])('of %j and %j is %j', (before, after, words) => expect(show(before, after)).toBe(words))

  it('gives back both texts, whatever they are', () => {
    const vocabulary = ['a', 'b', 'cc', ' ', '  ', ',', '\n', 'é', '🙂', '`x`']
    let seed = 7
    const random = (n: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % n
    }
    const words = () =>
      Array.from({ length: random(14) }, () => vocabulary[random(vocabulary.length)]).join('')
    for (let i = 0; i < 500; i++) {
      const [before, after] = [words(), words()]
      const parts = compareWords(before, after)
      const without = (kind: string) =>
        parts
          .filter((p) => p.kind !== kind)
          .map((p) => p.text)
          .join('')
      expect(without('added')).toBe(before)
      expect(without('removed')).toBe(after)
      // Neighbours of one kind are one part.
      expect(parts.every((p, j) => p.kind !== parts[j + 1]?.kind)).toBe(true)
    }
  })

  it('does not compare very long texts word by word', () => {
    const long = (w: string) => Array.from({ length: 4000 }, (_, i) => `${w}${i}`).join(' ')
    expect(compareWords(long('a'), long('b')).map((p) => p.kind)).toEqual(['removed', 'added'])
  })
})
