import { render, screen } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import MiddleCut from './MiddleCut.svelte'
import { lastPart } from './middlecut'

describe('lastPart', () => {
  it.each([
    ['/home/sam/code/shop', '/home/sam/code'],
    ['/home/sam/code/shop/', '/home/sam/code'],
    ['C:\\Users\\sam\\shop', 'C:\\Users\\sam'],
    ['shop', ''],
    ['/', ''],
    ['', ''],
  ])('of %j leaves %j before it', (path, before) => {
    expect(path.slice(0, lastPart(path))).toBe(before)
  })
})

describe('MiddleCut', () => {
  it('is read as a whole, and shows it to a pointer', () => {
    render(MiddleCut, { text: '/home/sam/\u202ecode/shop' })
    const whole = '/home/sam/⟨U+202E⟩code/shop'
    expect(screen.getByText(whole)).toBeInTheDocument()
    expect(screen.getByTitle(whole)).toBeInTheDocument()
  })
})
