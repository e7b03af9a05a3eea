import { describe, expect, it, vi } from 'vitest'
import { type Bridge, BridgeProblem, type Proposal, type Reviewed } from '../../bridge'
import { Resource } from '../../state/resource.svelte'
import { testApp } from '../../test/app'
import { text } from '../../text'
import { ReviewModel } from './model.svelte'

function proposal(id: string, branch: string, action: Proposal['action'] = 'add'): Proposal {
  const created = '2026-11-28T10:00:00Z'
  return { id, branch, action, section: 'facts', content: `words of ${id}`, confidence: 0.8, created }
}

const inbox = [proposal('a1', 'a'), proposal('b1', 'b'), proposal('a2', 'a', 'remove'), proposal('b2', 'b')]

// A program that keeps an inbox, and answers a call when it is told to.
async function start(over: Partial<Bridge> = {}) {
  let left = [...inbox]
  const before: Proposal[][] = []
  const decide = vi.fn(async (_root: string, decisions: { id: string }[]): Promise<Reviewed> => {
    before.push(left)
    left = left.filter((p) => !decisions.some((d) => d.id === p.id))
    return { left, undo: `undo ${before.length}`, stale: [] }
  })
  const undoReview = vi.fn(async (): Promise<Reviewed> => {
    left = before.pop() ?? left
    return { left, undo: '', stale: [] }
  })
  const app = await testApp({}, { review: async () => left, decide, undoReview, ...over })
  const loaded = new Resource(() => app.bridge.review(app.root))
  await loaded.reload()
  const model = new ReviewModel(app, app.root, loaded)
  const ids = () => model.list.map((p) => p.id)
  return { app, model, loaded, decide, undoReview, ids }
}

describe('ReviewModel', () => {
  it('groups by branch and begins at the first proposal', async () => {
    const { model, ids } = await start()
    expect(ids()).toEqual(['a1', 'a2', 'b1', 'b2'])
    expect(model.chosen?.id).toBe('a1')
    model.step(1)
    model.step(1)
    expect(model.chosen?.id).toBe('b1')
    model.step(-1)
    expect(model.chosen?.id).toBe('a2')
  })

  it('puts suggestions behind what must be decided, and counts them apart', async () => {
    const maybe = { ...proposal('s1', 'a'), suggestion: true }
    const { app, model, ids } = await start({ review: async () => [maybe, ...inbox] })
    expect(ids()).toEqual(['a1', 'a2', 'b1', 'b2', 's1'])
    expect(model.all).toBe(4)
    model.select('s1')
    expect(model.group).toMatchObject({ branch: 'a', suggestion: true })
    const decide = vi.spyOn(app.bridge, 'decide')
    await model.decideGroup({ branch: 'a', suggestion: true }, false)
    expect(decide).toHaveBeenCalledWith(app.root, [{ id: 's1', accept: false }])
  })

  it('goes to the next after a decision, at the end to the one before', async () => {
    const { model } = await start()
    model.select('b1')
    await model.decide('b1', true)
    expect(model.chosen?.id).toBe('b2')
    await model.decide('b2', false)
    expect(model.chosen?.id).toBe('a2')
    expect([model.decided, model.all]).toEqual([2, 4])
  })

  it('hides at once what is on its way, and sends one after the other', async () => {
    const release: (() => void)[] = []
    let left = inbox
    const { model, ids } = await start({
      decide: async (_root, decisions) => {
        await new Promise<void>((resolve) => release.push(resolve))
        left = left.filter((p) => !decisions.some((d) => d.id === p.id))
        return { left, undo: 'u', stale: [] }
      },
    })
    const one = model.decide('a1', true)
    const two = model.decide('a2', true)
    expect(ids()).toEqual(['b1', 'b2'])
    await vi.waitFor(() => expect(release).toHaveLength(1))
    release[0]?.()
    await one
    // The answer to the first still has the second in it.
    expect(ids()).toEqual(['b1', 'b2'])
    await vi.waitFor(() => expect(release).toHaveLength(2))
    release[1]?.()
    await two
    expect(ids()).toEqual(['b1', 'b2'])
    expect(model.decided).toBe(2)
  })

  it('shows a proposal again whose decision failed', async () => {
    const { app, model, ids } = await start({
      decide: () => Promise.reject(new BridgeProblem({ code: 'busy', message: 'another one works on it' })),
    })
    model.select('b1')
    await model.decide('b1', true)
    expect(ids()).toContain('b1')
    expect(model.chosen?.id).toBe('b1')
    expect(model.decided).toBe(0)
    expect(app.notices.list.at(-1)?.problem?.code).toBe('busy')
  })

  it('decides a whole branch in one call', async () => {
    const { app, model, decide, ids } = await start()
    await model.decideGroup({ branch: 'a', suggestion: false }, false)
    expect(decide).toHaveBeenCalledWith(app.root, [
      { id: 'a1', accept: false },
      { id: 'a2', accept: false },
    ])
    expect(ids()).toEqual(['b1', 'b2'])
    expect(app.notices.list.at(-1)?.text).toBe(text.review.did.refused(2))
  })

  it('takes decisions back, the last first, and gives them the keyboard', async () => {
    const { app, model, undoReview, ids } = await start()
    await model.decide('a1', true)
    await model.decideGroup({ branch: 'b', suggestion: false }, true)
    expect(app.notices.list.filter((n) => n.undo)).toHaveLength(1)
    await model.undo()
    expect(undoReview).toHaveBeenCalledWith(app.root, 'undo 2')
    expect(model.chosen?.id).toBe('b1')
    await model.undo()
    expect(ids()).toEqual(['a1', 'a2', 'b1', 'b2'])
    expect(model.decided).toBe(0)
    await model.undo()
    expect(app.notices.list.at(-1)?.text).toBe(text.review.nothingToUndo)
  })

  it('explains an undo that came too late', async () => {
    const { model } = await start({
      undoReview: () =>
        Promise.reject(new BridgeProblem({ code: 'changed', message: 'the memory changed since' })),
    })
    await model.decide('a1', true)
    await model.undo()
    expect(model.refused).toBe(true)
  })

  it('keeps what went away undecided, and does not count it', async () => {
    const { model } = await start({
      decide: async () => ({ left: inbox.slice(2), undo: 'u', stale: ['a1'] }),
    })
    await model.decide('a1', true)
    expect(model.stale.map((p) => p.id)).toEqual(['a1'])
    expect(model.decided).toBe(0)
  })

  it('sends only what was edited', async () => {
    const { app, model, decide } = await start()
    await model.startEdit('a1')
    await model.acceptEdited()
    expect(decide).toHaveBeenLastCalledWith(app.root, [{ id: 'a1', accept: true }])
    await model.startEdit('b1')
    if (model.draft) Object.assign(model.draft, { content: ' Other\nwords ', section: 'conventions' })
    await model.acceptEdited()
    const edited = { id: 'b1', accept: true, content: 'Other words', section: 'conventions' }
    expect(decide).toHaveBeenLastCalledWith(app.root, [edited])
  })

  it('opens no words where there are none to edit, and accepts no empty ones', async () => {
    const { app, model, decide } = await start()
    await model.startEdit('a2')
    expect(model.draft).toBeUndefined()
    expect(app.notices.list.at(-1)?.text).toBe(text.review.removeNotEdited)
    await model.startEdit('a1')
    if (model.draft) model.draft.content = ' '
    await model.acceptEdited()
    expect(model.draft?.problem).toBe(text.review.emptyRefused)
    expect(decide).not.toHaveBeenCalled()
  })
})
