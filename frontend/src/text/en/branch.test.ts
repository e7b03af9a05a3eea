import { describe, expect, it } from 'vitest'
import { text } from '..'

describe('what was said without a branch', () => {
  it('is named as people would', () => {
    const name = 'no branch'
    expect(text.branch.label(name)).toBe('without a branch')
    expect(text.memory.of(name)).toBe('Memory of what was said without a branch')
    expect(text.injection.of(name)).toBe('The block of what was said without a branch')
    expect(text.projects.memorizeOf(name)).toBe('Memorize what was said without a branch')
    expect(text.memory.of('detached HEAD')).toBe('Memory of what was said on a detached HEAD')
  })

  it('leaves branches their names', () => {
    expect(text.branch.label('main')).toBe('main')
    expect(text.memory.of('fix/no branch')).toBe('Memory of fix/no branch')
  })
})
