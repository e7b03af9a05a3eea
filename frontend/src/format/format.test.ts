import { afterEach, describe, expect, it, vi } from 'vitest'
import { bytes, compact, duration, locale, money, number, percent, plural } from './number'
import { absolute, relative } from './time'
import { pieces, plain } from './untrusted'

afterEach(() => vi.restoreAllMocks())

describe('numbers', () => {
  it('are written for people', () => {
    expect(number(12345)).toBe('12,345')
    expect(compact(12345)).toBe('12.3K')
    expect(compact(999)).toBe('999')
    expect(plural(1, 'item', 'items')).toBe('1 item')
    expect(plural(0, 'item', 'items')).toBe('0 items')
    expect(percent(0.853)).toBe('85%')
    expect(money(1_250_000)).toBe('$1.25')
    expect(money(4_200)).toBe('$0.0042')
    expect(money(0)).toBe('$0.00')
    expect(duration(12e6)).toBe('12 ms')
    expect(duration(3.4e9)).toBe('3.4 s')
    expect(duration(125e9)).toBe('2 min 5 s')
    expect(bytes(512)).toBe('512 B')
    expect(bytes(3_200_000)).toBe('3.2 MB')
  })

  it('do without a language that Intl refuses', () => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('C')
    expect(['C', 'en']).toContain(locale())
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('not a language')
    expect(locale()).toBe('en')
    expect(absolute('2026-03-01T10:00:00Z')).toContain('2026')
  })
})

describe('relative', () => {
  const now = Date.parse('2026-11-28T12:00:00Z')
  const cases: [string | undefined, string][] = [
    ['2026-11-28T11:59:40Z', 'just now'],
    ['2026-11-28T11:55:00Z', '5 minutes ago'],
    ['2026-11-28T09:00:00Z', '3 hours ago'],
    ['2026-11-27T10:00:00Z', 'yesterday'],
    ['2026-11-30T13:00:00Z', 'in 2 days'],
    ['0001-01-01T00:00:00Z', ''],
    ['no time', ''],
    [undefined, ''],
  ]
  it.each(cases)('%s is "%s"', (time, words) => expect(relative(time, now)).toBe(words))
  it('gives the date of what is long ago', () => {
    expect(relative('2026-01-05T12:00:00Z', now)).toContain('2026')
  })
})

describe('untrusted text', () => {
  it('shows by name what would deceive', () => {
    expect(plain('a\u202egpj.exe')).toBe('a⟨U+202E⟩gpj.exe')
    expect(plain('tag\u{e0041}')).toBe('tag⟨U+E0041⟩')
    expect(plain('zero\u200bwidth')).toBe('zero⟨U+200B⟩width')
    expect(plain('bell\u0007')).toBe('bell⟨U+0007⟩')
    expect(plain('soft\u00adhyphen')).toBe('soft⟨U+00AD⟩hyphen')
  })
  it('keeps what people write', () => {
    for (const text of ['tab\tand\nline', 'family 👨‍👩‍👧', 'فارسی می‌خواهم', 'שלום', 'a < b & c']) {
      expect(plain(text)).toBe(text)
      expect(pieces(text).some((p) => p.odd)).toBe(false)
    }
    expect(plain('a\r\nb')).toBe('a\nb')
    expect(pieces('')).toEqual([])
  })
})
