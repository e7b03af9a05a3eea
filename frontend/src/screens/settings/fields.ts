import type { Setting } from '../../bridge'
import { text } from '../../text'

const e = text.settings.errors

// wrong says in words why a setting can't have a value; undefined if it can, as
// far as the window knows. The program checks it again.
export function wrong(s: Setting, value: unknown): string | undefined {
  if (s.kind === 'int' || s.kind === 'number') return wrongNumber(s, value)
  if (s.kind === 'list') return wrongList(s, value as string[])
  if (s.key === 'model.base_url') return wrongAddress(String(value))
  return undefined
}

function wrongNumber(s: Setting, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return e.number
  if (s.kind === 'int' && !Number.isInteger(value)) return e.whole
  if (s.min === -1 && value < 0 && value !== -1) return e.negative
  if (s.min !== undefined && value < s.min) return e.least(s.min)
  if (s.max !== undefined && value > s.max) return e.most(s.max)
  return undefined
}

function wrongList(s: Setting, value: string[]): string | undefined {
  if (!value.length && s.key !== 'sources' && s.key !== 'safe.folders') return e.one
  const twice = value.find((v, i) => value.indexOf(v) !== i)
  if (twice !== undefined) return e.twice(twice)
  if (s.key !== 'inject.targets') return undefined
  const out = value.find((v) => /^([/\\]|[a-z]:)/i.test(v) || v.split(/[/\\]/).includes('..'))
  return out === undefined ? undefined : e.path(out)
}

function wrongAddress(value: string): string | undefined {
  if (value === '') return undefined
  try {
    const url = new URL(value)
    const here = isHere(url.hostname)
    const safe = url.protocol === 'https:' || (url.protocol === 'http:' && here)
    return safe && !url.username && !url.search && !url.hash ? undefined : e.address
  } catch {
    return e.address
  }
}

function isHere(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

// lines are what a person typed one below the other, without what is empty.
export function lines(typed: string, between: RegExp = /\n/): string[] {
  return typed
    .split(between)
    .map((l) => l.trim())
    .filter(Boolean)
}

// local says whether an address is one of this machine.
export function local(address: unknown): boolean {
  try {
    return isHere(new URL(String(address)).hostname)
  } catch {
    return false
  }
}

// amount reads a number as a person types it; NaN is none.
export function amount(typed: string): number {
  const words = typed.trim().replaceAll(/[\s_']/g, '')
  const grouped = /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(words)
    ? words.replaceAll(',', '')
    : words.replace(',', '.')
  return /^-?(\d+(\.\d*)?|\.\d+)$/.test(grouped) ? Number(grouped) : Number.NaN
}
