import { describe, expect, it } from 'vitest'
import { dayLabel, daySteps, every, once } from './axes'

const at = (day: string) => Date.parse(`${day}T00:00:00`) / 1000

describe('axes', () => {
  it('name no day twice over years', () => {
    const DAY = 86_400
    expect(daySteps([at('2026-11-01'), at('2026-11-05')])[0]).toBe(DAY)
    const long = daySteps([at('2024-11-01'), at('2026-11-05')])
    expect(Math.min(...long)).toBe(30 * DAY)
    expect(dayLabel(at('2025-11-01'), 30 * DAY)).toBe('Nov 2025')
    expect(dayLabel(at('2026-11-01'), 365 * DAY)).toBe('2026')
    expect(dayLabel(at('2026-11-05'), DAY)).toBe('Nov 5')
  })

  it('say nothing twice', () => {
    expect(once(['$0.00', '$0.00', '$0.01', '$0.01'])).toEqual(['$0.00', '', '$0.01', ''])
  })

  it('leave out words where there is no room', () => {
    const words = ['0%', '10%', '20%', '90%']
    const width = (w: string) => w.length * 10
    expect(every(words, 400, width)).toBe(1)
    expect(every(words, 100, width)).toBe(2)
    expect(every(words, 1, width)).toBeGreaterThan(4)
    expect(every([], 0, width)).toBe(1)
  })
})
