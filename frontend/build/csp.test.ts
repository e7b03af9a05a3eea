import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { policy } from './csp.ts'

describe('the content security policy', () => {
  it('lets the very inline script run and no other', () => {
    const script = '\n  start()\n'
    const hash = createHash('sha256').update(script).digest('base64')
    const p = policy(`<script>${script}</script><script type="module" src="/x.js"></script>`, false)
    expect(p).toContain(`script-src 'self' 'sha256-${hash}';`)
    expect(p.match(/sha256-/g)).toHaveLength(1)
  })

  it('allows nothing else in a built page', () => {
    expect(policy('', false).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      'img-src data:',
      "font-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "object-src 'none'",
    ])
  })
})

// What would turn text into a page, code or a way out of it. A place that needs
// one of these needs another way.
const never: [RegExp, string][] = [
  [/\{@html/, 'text is shown as text'],
  [
    /\b(inner|outer)HTML\s*=[^=]|insertAdjacentHTML|document\.write|\.srcdoc|DOMParser/,
    'text is shown as text',
  ],
  [/\beval\s*\(|new Function\b|set(Timeout|Interval)\s*\(\s*['"`]/, 'text is not run'],
  [/<(iframe|object|embed|base|img|video|audio|link|meta)\b/, 'nothing is loaded or sent'],
  [
    /\bBrowserOpenURL|window\.open|location\.(assign|replace)|location(\.href)?\s*=[^=]|target="_blank"/,
    'the page stays',
  ],
  [/\bhref=(?!"#)|\bsrc=/, 'a link leads within the page'],
  [/\sstyle="|\sstyle=\{/, 'styles are classes and style: directives'],
  [/\b(fetch|sendBeacon|EventSource|XMLHttpRequest|WebSocket)\s*\(/, 'the bridge is the only way out'],
]

describe('the source of the page', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    // words.ts plays the text of an attacker.
    (name) => /\.(svelte|ts)$/.test(name) && !/\.test\.ts$|^test\/|^bridge\/fake\/words\.ts$/.test(name),
  )
  it.each(never)('has nothing of %s: %s', (pattern) => {
    expect(files.length).toBeGreaterThan(150)
    const found = files.filter((name) => pattern.test(readFileSync(join('src', name), 'utf8')))
    expect(found).toEqual([])
  })
})
