import { render, screen } from '@testing-library/svelte'
import { describe, expect, test } from 'vitest'
import { asTyped, blocksOf, plainOf } from './markdown'
import { isOld, saidAt, toldOf } from './marks'
import Said from './Said.svelte'
import { sentencesOf } from './sentence'

const said = (markdown: string) => blocksOf(markdown).map((b) => `${b.bullet ?? ''}${b.kind}:${plainOf(b)}`)

describe('Markdown as words', () => {
  test('paragraphs, headings, lists, code', () => {
    expect(said('# Why\n\nIt **was** the `lock`.\n\n- one\n- two\n  1. inner\n\n```go\nx := 1\n```')).toEqual(
      ['heading:Why', 'words:It was the lock.', '•words:one', '•words:two', '1.words:inner', 'code:x := 1'],
    )
  })

  test('nothing of it can act', () => {
    const { container } = render(Said, {
      markdown: true,
      text: '<script>alert(1)</script>\n\n<b onclick="x()">bold</b> [here](javascript:alert(1)) ![pixel](https://a.example/p.png) <img src=x>',
    })
    expect(container.querySelector('script, img, a, b, [onclick], iframe')).toBeNull()
    expect(container.textContent).toContain('here (javascript:alert(1))')
    expect(container.textContent).toContain('pixel (https://a.example/p.png)')
    expect(container.textContent).toContain('<b onclick="x()">')
  })

  test('a table and a quote keep their words', () => {
    expect(said('| a | b |\n| - | - |\n| 1 | 2 |\n\n> said *so*')).toEqual([
      'words:a | b',
      'words:1 | 2',
      'words:said so',
    ])
  })

  test('what a person typed stays as it is but for code', () => {
    const [block] = asTyped('# not a heading, `__init__` and __init__')
    expect(block?.spans).toEqual([
      { text: '# not a heading, ' },
      { text: '__init__', code: true },
      { text: ' and __init__' },
    ])
  })
})

describe('the very sentence', () => {
  const hits = (text: string, item: string) => {
    const blocks = blocksOf(text)
    return sentencesOf(blocks, item).map((h) => plainOf(blocks[h.block] as never).slice(h.from, h.to))
  }

  test('is found among others', () => {
    const text = 'Good. Always put the lock on the berth and never on the whole table. Thanks for the work.'
    expect(hits(text, 'Always put the lock on the berth, never on the whole table')).toEqual([
      'Always put the lock on the berth and never on the whole table.',
    ])
  })

  test('both, of an item that was made of two', () => {
    const text = 'Money is counted in whole cents, as integers. Never use floating point for a price. Ok?'
    expect(
      hits(text, 'Money is counted in whole cents, as integers. Never use floating point for a price.'),
    ).toHaveLength(2)
  })

  test('the nearest, of one in other words; none where nothing is near', () => {
    const text =
      'We looked at the mail.\n\n- The queue asks whether that id went out before it sends.\n- Something else entirely happened.'
    expect(hits(text, 'The mail queue asks for the id before it sends')).toEqual([
      'The queue asks whether that id went out before it sends.',
    ])
    expect(hits(text, 'Indent with tabs')).toEqual([])
  })

  test('is marked across what looks different, and told to screen readers', () => {
    const { container } = render(Said, {
      markdown: true,
      text: 'Hello. We use **pnpm** in `web`, not npm. Bye.',
      of: 'We use pnpm in web, not npm',
    })
    const marked = [...container.querySelectorAll('mark.sentence')].map((m) => m.textContent).join('')
    expect(marked).toContain('We use pnpm in web, not npm.')
    expect(marked).not.toContain('Bye')
    expect(screen.getAllByText(/The sentence that the item was made of/)).toHaveLength(1)
  })
})

describe('marks', () => {
  const item = (updated: string, ...times: string[]) =>
    ({ updated, origins: times.map((time) => ({ extractor: 'x', time })) }) as never

  test('an item is as old as what was said last', () => {
    const now = Date.parse('2026-06-01T00:00:00Z')
    expect(isOld(item('2026-05-30T00:00:00Z', '2026-01-01T00:00:00Z'), now)).toBe(true)
    expect(isOld(item('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-05-01T00:00:00Z'), now)).toBe(
      false,
    )
    expect(saidAt(item('2026-05-30T00:00:00Z', '0001-01-01T00:00:00Z'))).toBe('2026-05-30T00:00:00Z')
  })

  test('what a file says now is told from what it would say', () => {
    const told = toldOf({ standing: ['a', 'b'], block: { shown: [{ id: 'a' }, { id: 'c' }] } } as never)
    expect([...told]).toEqual([
      ['a', 'now'],
      ['c', 'next'],
      ['b', 'now'],
    ])
  })
})
