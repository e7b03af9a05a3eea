import { describe, expect, it } from 'vitest'
import { Heights } from './heights'

describe('Heights', () => {
  it('agrees with a plain sum, whatever is measured', () => {
    const n = 137
    const h = new Heights(n, 40)
    const plain = Array.from({ length: n }, () => 40)
    let seed = 7
    for (let k = 0; k < 400; k++) {
      seed = (seed * 1103515245 + 12345) % 2147483648
      const row = seed % n
      plain[row] = 10 + (seed % 97)
      h.set(row, plain[row] ?? 0)
    }
    let sum = 0
    for (let i = 0; i < n; i++) {
      expect(h.top(i)).toBe(sum)
      expect(h.at(sum)).toBe(i)
      expect(h.at(sum + (plain[i] ?? 0) - 1)).toBe(i)
      sum += plain[i] ?? 0
    }
    expect(h.total).toBe(sum)
  })

  it('stays within its rows', () => {
    const h = new Heights(3, 10)
    expect(h.at(-5)).toBe(0)
    expect(h.at(1000)).toBe(2)
    expect(h.set(9, 5)).toBe(false)
    expect(new Heights(0, 10).at(5)).toBe(0)
    expect(new Heights(0, 10).total).toBe(0)
  })
})
