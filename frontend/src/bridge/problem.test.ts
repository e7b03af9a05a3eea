import { describe, expect, it } from 'vitest'
import { hints } from '../text/en/hints'
import { asProblem, BridgeProblem } from './problem'

describe('asProblem', () => {
  it('reads what Go sends, as an object, as JSON text and within an Error', () => {
    const sent = { code: 'busy', message: 'the project is busy', hint: 'Wait.', exit: 3 }
    for (const cause of [sent, JSON.stringify(sent), new Error(JSON.stringify(sent))]) {
      const p = asProblem(cause)
      expect(p).toBeInstanceOf(BridgeProblem)
      expect(p.code).toBe('busy')
      expect(p.message).toBe('the project is busy')
      expect(p.hint).toBe('Wait.')
      expect(p.detail).toBeUndefined()
    }
  })

  it('has a hint for the window where one names a command or an option', () => {
    const hint = '--project takes a folder of the project'
    expect(asProblem({ code: 'project', message: 'gone', hint }).hint).toBe(hints.project)
    expect(asProblem({ code: 'project', message: 'gone', hint: 'Look there.' }).hint).toBe('Look there.')
  })

  it('makes the best of anything else', () => {
    expect(asProblem(new Error('boom')).message).toBe('boom')
    expect(asProblem('boom').code).toBe('unknown')
    expect(asProblem('{half').message).toBe('{half')
    expect(asProblem({ message: 5 }).code).toBe('unknown')
    expect(asProblem(undefined).message).not.toBe('')
    const p = new BridgeProblem({ code: 'x', message: 'y' })
    expect(asProblem(p)).toBe(p)
  })
})
