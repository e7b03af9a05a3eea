import { createHash } from 'node:crypto'
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
    const p = policy('', false)
    expect(p).not.toContain('unsafe')
    expect(p).not.toContain('http')
    expect(p).not.toContain('ws:')
    for (const part of [
      "default-src 'none'",
      "style-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "object-src 'none'",
    ]) {
      expect(p.split('; ')).toContain(part)
    }
  })
})
