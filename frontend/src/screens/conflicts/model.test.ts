import { describe, expect, it, vi } from 'vitest'
import { type Bridge, BridgeProblem, type Conflict } from '../../bridge'
import { Resource } from '../../state/resource.svelte'
import { testApp } from '../../test/app'
import { text } from '../../text'
import { age } from './age'
import { ConflictsModel, isOpen } from './model.svelte'

function conflict(id: string, status = 'pending_user_review'): Conflict {
  const side = (content: string, confidence: number) => ({
    content,
    confidence,
    extractedAt: '2026-11-01T10:00:00Z',
  })
  return {
    id,
    createdAt: '2026-11-20T10:00:00Z',
    status: status === 'pending_user_review' ? 'unresolved' : status,
    branch: 'main',
    category: 'facts',
    items: [side('old', 0.9), side('new', 0.8)],
    resolution: { status, resolvedAt: null },
  }
}

async function start(list: Conflict[], over: Partial<Bridge> = {}) {
  const resolveConflict = vi.fn(async (_root: string, id: string, decision: string, note: string) => {
    const c = list.find((x) => x.id === id) ?? conflict(id)
    return {
      ...c,
      undo: '',
      resolution: { status: decision, decision, reasoningNotes: note, resolvedAt: '2026-11-28T10:00:00Z' },
    }
  })
  const app = await testApp({}, { conflicts: async () => [...list], resolveConflict, ...over })
  const loaded = new Resource(() => app.bridge.conflicts(app.root, true))
  await loaded.reload()
  return { app, model: new ConflictsModel(app, app.root, loaded), resolveConflict, loaded }
}

describe('ConflictsModel', () => {
  it('parts those to decide from those that are', async () => {
    const { model } = await start([conflict('a'), conflict('b', 'accepted_newer'), conflict('c')])
    expect(model.open.map((c) => c.id)).toEqual(['a', 'c'])
    expect(model.history.map((c) => c.id)).toEqual(['b'])
    expect(isOpen(conflict('x', 'auto_resolved'))).toBe(false)
  })

  it('goes on to the next conflict after a decision, at the end to the one before', async () => {
    const { app, model, resolveConflict } = await start([conflict('a'), conflict('b'), conflict('c')])
    model.select('b')
    await model.decide('older')
    expect(resolveConflict).toHaveBeenCalledWith(app.root, 'b', 'older', '')
    expect(model.conflict?.id).toBe('c')
    await model.decide('outdated')
    expect(model.conflict?.id).toBe('a')
    await model.decide('newer')
    expect(model.conflict).toBeUndefined()
    expect(model.decided).toBe(3)
    expect(app.notices.list.map((n) => n.text)).toContain(text.conflicts.did.outdated)
  })

  it('takes a decision back: the conflict waits again', async () => {
    const undoEdit = vi.fn()
    const list = [conflict('a'), conflict('b')]
    const resolveConflict = async (_root: string, id: string) => ({
      ...conflict(id, 'accepted_newer'),
      undo: 'u1',
    })
    const { app, model } = await start(list, { undoEdit, resolveConflict })
    model.select('a')
    await model.decide('newer')
    expect(model.conflict?.id).toBe('b')
    await app.notices.list.at(-1)?.undo?.()
    expect(undoEdit).toHaveBeenCalledWith(app.root, 'main', 'u1')
    expect(model.conflict?.id).toBe('a')
    expect(model.decided).toBe(0)
    await model.decide('older')
    undoEdit.mockRejectedValueOnce(new BridgeProblem({ code: 'changed', message: 'another since' }))
    await app.notices.list.at(-1)?.undo?.()
    expect(app.notices.list.map((n) => n.text)).toContain('another since')
  })

  it('keeps both only with a note', async () => {
    const { app, model, resolveConflict } = await start([conflict('a')])
    model.startNote()
    model.note = '  '
    await model.decide('both')
    expect(model.noteMissing).toBe(true)
    expect(resolveConflict).not.toHaveBeenCalled()
    model.note = ' in tests '
    await model.decide('both')
    expect(resolveConflict).toHaveBeenCalledWith(app.root, 'a', 'both', 'in tests')
    expect(model.history[0]?.resolution.reasoningNotes).toBe('in tests')
  })

  it('does not take the note of one conflict to another', async () => {
    const { model } = await start([conflict('a'), conflict('b')])
    model.startNote()
    model.note = 'of a'
    model.step(1)
    expect([model.noting, model.note]).toEqual([false, ''])
  })

  it('decides once, however often it is told', async () => {
    const { model, resolveConflict } = await start([conflict('a'), conflict('b')])
    await Promise.all([model.decide('older'), model.decide('older')])
    expect(resolveConflict).toHaveBeenCalledTimes(1)
    expect(model.conflict?.id).toBe('b')
  })

  it('says that one was decided elsewhere', async () => {
    const list = [conflict('a'), conflict('b')]
    const { app, model } = await start(list, {
      resolveConflict: () =>
        Promise.reject(new BridgeProblem({ code: 'no_conflict', message: 'no such conflict' })),
    })
    list[0] = conflict('a', 'accepted_older')
    await model.decide('newer')
    expect(model.stale).toBe(true)
    expect(model.conflict?.id).toBe('b')
    expect(app.notices.list).toEqual([])
  })

  it('tells what went wrong and stays', async () => {
    const { app, model } = await start([conflict('a')], {
      resolveConflict: () =>
        Promise.reject(new BridgeProblem({ code: 'busy', message: 'another one works on it' })),
    })
    model.startNote()
    model.note = 'not to be lost'
    await model.decide('both')
    expect(app.notices.list.at(-1)?.problem?.code).toBe('busy')
    expect(model.conflict?.id).toBe('a')
    expect(model.note).toBe('not to be lost')
    expect(model.deciding).toBe('')
  })
})

describe('age', () => {
  const now = new Date(2026, 10, 28, 9).getTime()
  const at = (days: number, hour = 12) => new Date(2026, 10, 28 - days, hour).toISOString()
  it.each([
    [at(0, 1), 'today'],
    [at(1, 23), 'yesterday'],
    [at(34), '34 days ago'],
    [at(200), '7 months ago'],
    [at(1000), '3 years ago'],
    ['0001-01-01T00:00:00Z', ''],
    ['nonsense', ''],
    [undefined, ''],
  ])('of %s is %j', (time, words) => expect(age(time, now)).toBe(words))
})
