import { afterEach, describe, expect, it, vi } from 'vitest'
import { BridgeProblem } from './problem'
import { inWails, wailsBridge } from './wails'

afterEach(() => {
  delete window.go
  delete window.runtime
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
    const EventsOn = vi.fn().mockReturnValue(off)
    window.go = { app: { Bridge: {} } }
    window.runtime = { EventsOn }
    const handle = vi.fn()
    wailsBridge().on('changed', handle)()
    expect(EventsOn).toHaveBeenCalledWith('changed', handle)
    expect(off).toHaveBeenCalled()
  })

  it('can be awaited', async () => {
    window.go = { app: { Bridge: { Projects: vi.fn() } } }
    expect(await Promise.resolve(wailsBridge())).toBeDefined()
  })

  it('knows a plain browser', () => expect(inWails()).toBe(false))
})
