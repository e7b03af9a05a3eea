import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hints } from '../text/en/hints'
import { asProblem, BridgeProblem } from './problem'
import { bound, inWails, wailsBridge } from './wails'

afterEach(() => {
  delete window.go
  vi.unstubAllGlobals()
})

describe('the bridge to Go', () => {
  it('calls the method of the same name with a capital', async () => {
    const Branches = vi.fn().mockResolvedValue([{ name: 'main' }])
    window.go = { app: { Bridge: { Branches } } }
    expect(inWails()).toBe(true)
    expect(await wailsBridge().branches('/p')).toEqual([{ name: 'main' }])
    expect(Branches).toHaveBeenCalledWith('/p')
  })

  it('rejects with a BridgeProblem', async () => {
    const Try = vi.fn().mockRejectedValue('{"code":"no_branch","message":"no such branch"}')
    window.go = { app: { Bridge: { Try } } }
    const failed = wailsBridge().try('/p', 'x', 'e')
    await expect(failed).rejects.toBeInstanceOf(BridgeProblem)
    await expect(failed).rejects.toMatchObject({ code: 'no_branch' })
  })

  it('passes events on until the subscription ends', () => {
    const off = vi.fn()
    const EventsOnMultiple = vi.fn().mockReturnValue(off)
    vi.stubGlobal('runtime', { EventsOnMultiple })
    const handle = vi.fn()
    wailsBridge().on('changed', handle)()
    expect(EventsOnMultiple).toHaveBeenCalledWith('changed', handle, -1)
    expect(off).toHaveBeenCalled()
  })

  it('has the calls of the contract, with as many arguments', () => {
    const contract = readFileSync('src/bridge/bridge.ts', 'utf8')
    const calls = [...contract.matchAll(/^ {2}(\w+)\((.*?)\): Promise</gm)].map(
      ([, name = '', args = '']) => ({
        name,
        count: args ? args.split(', ').length : 0,
      }),
    )
    expect(calls.length).toBeGreaterThan(40)
    const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
    const given = Object.fromEntries(Object.entries(bound).map(([name, call]) => [name, call.length]))
    expect(given).toEqual(Object.fromEntries(calls.map((c) => [capital(c.name), c.count])))
  })

  it('knows a plain browser', () => expect(inWails()).toBe(false))
})

describe('a hint', () => {
  it('that names a command is one for the window', () => {
    const sent = {
      code: 'no_model',
      message: 'no model',
      hint: 'recollect config set model.provider anthropic',
    }
    expect(asProblem(sent).hint).toBe(hints.no_model)
    expect(asProblem({ ...sent, hint: 'wait a minute' }).hint).toBe('wait a minute')
    expect(asProblem({ ...sent, code: 'other' }).hint).toBe(sent.hint)
    expect(asProblem({ code: 'busy', message: 'busy' }).hint).toBeUndefined()
  })
})
