import { flushSync } from 'svelte'
import { describe, expect, it, vi } from 'vitest'
import { type Bridge, BridgeProblem, type Edited } from '../../bridge'
import { Resource } from '../../state/resource.svelte'
import { testApp } from '../../test/app'
import { text } from '../../text'
import { MemoryModel } from './model.svelte'

async function start(over: Partial<Bridge> = {}) {
  const app = await testApp({}, over)
  const branch = app.branch ?? ''
  const loaded = new Resource(() => app.bridge.memory(app.root, branch))
  await loaded.reload()
  const model = new MemoryModel(app, app.root, branch, loaded)
  const ids = (section: string) =>
    model.groups.find((g) => g.section.id === section)?.items.map((i) => i.id) ?? []
  const first = () => ids('facts')[0] ?? ''
  const said = () => app.notices.list.map((n) => n.text)
  return { app, model, loaded, ids, first, said }
}

const words = (model: MemoryModel, id: string) => model.item(id)?.content

describe('editing', () => {
  it('changes the words and takes them back, and does it again', async () => {
    const { model, first, said } = await start()
    const id = first()
    const before = words(model, id)
    await model.startEdit(id)
    if (model.draft) model.draft.text = '  Other \n words '
    await model.save()
    expect(model.draft).toBeUndefined()
    expect(words(model, id)).toBe('Other words')
    expect(said().at(-1)).toBe(text.memory.did.edit)
    await model.edits.undo()
    expect(words(model, id)).toBe(before)
  })

  it('sends nothing if nothing changed', async () => {
    const { app, model, first } = await start()
    const call = vi.spyOn(app.bridge, 'editItem')
    await model.startEdit(first())
    await model.save()
    expect(call).not.toHaveBeenCalled()
    expect(model.draft).toBeUndefined()
  })

  it('refuses no words at all', async () => {
    const { app, model, first } = await start()
    const call = vi.spyOn(app.bridge, 'editItem')
    await model.startEdit(first())
    if (model.draft) model.draft.text = '   '
    await model.save()
    expect(model.draft?.problem?.message).toBe(text.memory.emptyRefused)
    expect(call).not.toHaveBeenCalled()
  })

  it('keeps what was written when it is refused', async () => {
    const refused = new BridgeProblem({ code: 'duplicate', message: 'another item says the same' })
    const { model, first } = await start({ editItem: () => Promise.reject(refused) })
    await model.startEdit(first())
    if (model.draft) model.draft.text = 'The same'
    await model.save()
    expect(model.draft?.text).toBe('The same')
    expect(model.draft?.problem?.code).toBe('duplicate')
    expect(model.draft?.saving).toBe(false)
  })

  it('keeps the words of an item that went away, as a new one', async () => {
    const { app, model, loaded, first, ids } = await start()
    const id = first()
    await model.startEdit(id)
    if (model.draft) model.draft.text = 'Not to be lost'
    await app.bridge.removeItems(app.root, model.branch, [id])
    await loaded.reload()
    expect(model.adding).toBe(true)
    expect(model.rows.some((r) => r.kind === 'new')).toBe(true)
    await model.save()
    const added = ids('facts').at(-1) ?? ''
    expect(words(model, added)).toBe('Not to be lost')
  })

  it('does not go over words that changed meanwhile without saying so', async () => {
    const { app, model, first } = await start()
    const id = first()
    await model.startEdit(id)
    if (model.draft) model.draft.text = 'Mine'
    await app.bridge.editItem(app.root, model.branch, id, 'Theirs', words(model, id) ?? '')
    await model.save()
    expect(model.draft?.problem?.hint).toContain('Theirs')
    expect(words(model, id)).toBe('Theirs')
    await model.save()
    expect(words(model, id)).toBe('Mine')
  })

  it('saves what is being written when the screen goes away', async () => {
    const { app, model, first, said } = await start()
    await model.startEdit(first())
    await model.leave()
    expect(said()).toEqual([])
    if (model.draft) model.draft.text = 'Half written'
    await model.leave()
    expect(words(model, first())).toBe('Half written')
    expect(app.notices.list.at(-1)?.undo).toBeDefined()
  })

  it('tells of a secret that was taken out', async () => {
    const { app, model, said, first } = await start()
    const real = app.bridge.editItem
    app.bridge.editItem = async (...args) => ({
      ...(await real(...args)),
      warnings: ['a secret was taken out'],
    })
    await model.startEdit(first())
    if (model.draft) model.draft.text = 'With a secret'
    await model.save()
    expect(said()).toContain('a secret was taken out')
    expect(app.notices.list.some((n) => n.undo)).toBe(true)
  })

  it('saves what was begun elsewhere first', async () => {
    const { model, ids } = await start()
    const [a = '', b = ''] = ids('facts')
    await model.startEdit(a)
    if (model.draft) model.draft.text = 'Begun'
    await model.startEdit(b)
    expect(words(model, a)).toBe('Begun')
    expect(model.draft?.id).toBe(b)
  })
})

describe('adding', () => {
  it('puts a new item at the end of the section and gives it the keyboard', async () => {
    const { model, ids } = await start()
    await model.startAdd('conventions')
    if (model.draft) model.draft.text = 'A new convention'
    await model.save()
    const id = ids('conventions').at(-1) ?? ''
    expect(words(model, id)).toBe('A new convention')
    expect(model.current?.id).toBe(id)
    expect(model.wanted.key).toBe(id)
  })

  it('begins in the section that has the keyboard', async () => {
    const { model, ids } = await start()
    model.select(ids('bug-patterns')[0] ?? '')
    await model.startAdd()
    expect(model.draft?.section).toBe('bug-patterns')
  })
})

describe('moving', () => {
  it('goes down and up among what is shown, and over the edge of its section', async () => {
    const { model, ids } = await start()
    const [a = '', b = ''] = ids('facts')
    await model.shift(a, 1)
    expect(ids('facts').slice(0, 2)).toEqual([b, a])
    await model.shift(a, -1)
    expect(ids('facts').slice(0, 2)).toEqual([a, b])
    await model.shift(a, -1)
    expect(ids('facts')[0]).toBe(a)
    const last = ids('facts').at(-1) ?? ''
    await model.shift(last, 1)
    expect(ids('architectural-decisions')[0]).toBe(last)
    await model.shift(last, -1)
    expect(ids('facts').at(-1)).toBe(last)
  })

  it('moves once for each key, however quickly they come', async () => {
    const { model, ids } = await start()
    const [a = '', b = '', c = ''] = ids('facts')
    await Promise.all([model.shift(a, 1), model.shift(a, 1)])
    expect(ids('facts').slice(0, 3)).toEqual([b, c, a])
  })

  it('asks for nothing that is so already', async () => {
    const { app, model, ids } = await start()
    const call = vi.spyOn(app.bridge, 'moveItem')
    const [a = '', b = ''] = ids('facts')
    await model.moveTo(a, 'facts', a)
    await model.moveTo(a, 'facts', b)
    await model.moveTo(ids('facts').at(-1) ?? '', 'facts')
    expect(call).not.toHaveBeenCalled()
  })
})

describe('deleting', () => {
  it('gives the keyboard to the next item, at the end to the one before', async () => {
    const { model } = await start()
    const items = model.rows.flatMap((r) => (r.kind === 'item' ? [r.key] : []))
    model.select(items[0] ?? '')
    await model.remove(items[0] ?? '')
    expect(model.current?.id).toBe(items[1])
    model.select(items.at(-1) ?? '')
    await model.remove(items.at(-1) ?? '')
    expect(model.current?.id).toBe(items.at(-2))
  })

  it('tells what went wrong and reads the memory again', async () => {
    const { app, model, loaded, first } = await start({
      removeItems: () =>
        Promise.reject(new BridgeProblem({ code: 'busy', message: 'another one works on it' })),
    })
    const reload = vi.spyOn(loaded, 'reload')
    await model.remove(first())
    expect(app.notices.list.at(-1)?.problem?.code).toBe('busy')
    expect(reload).toHaveBeenCalled()
    expect(model.edits.working).toBe(0)
  })
})

describe('undo', () => {
  it('takes back several changes, the last first, and has one notice that offers it', async () => {
    const { app, model, ids } = await start()
    const before = ids('facts')
    await model.remove(before[0] ?? '')
    await model.remove(before[1] ?? '')
    expect(app.notices.list.filter((n) => n.undo)).toHaveLength(1)
    await model.edits.undo()
    expect(ids('facts')).toEqual(before.slice(1))
    await model.edits.undo()
    expect(ids('facts')).toEqual(before)
    await model.edits.undo()
    expect(app.notices.list.at(-1)?.text).toBe(text.memory.nothingToUndo)
  })

  it('does again what was taken back, if the program can', async () => {
    const { app, model, first } = await start()
    const id = first()
    const real = app.bridge.undoEdit
    let token = ''
    app.bridge.undoEdit = async (root, branch, undo): Promise<Edited> => {
      if (undo === 'again') return app.bridge.removeItems(root, branch, [id])
      token = undo
      return { ...(await real(root, branch, undo)), undo: 'again' }
    }
    await model.remove(id)
    await model.edits.undo()
    expect(token).not.toBe('')
    expect(model.item(id)).toBeDefined()
    await model.edits.redo()
    expect(model.item(id)).toBeUndefined()
  })

  it('explains that the memory changed since, and offers no undo any more', async () => {
    const { app, model, first } = await start()
    await model.pin(first())
    await app.bridge.addItem(app.root, model.branch, 'facts', 'Somebody else was here')
    await model.edits.undo()
    expect(model.edits.refused).toBe(true)
    expect(app.notices.list.some((n) => n.undo)).toBe(false)
    await vi.waitFor(() => expect(model.groups[0]?.items.at(-1)?.content).toBe('Somebody else was here'))
  })
})

describe('a memory that is read again', () => {
  it('keeps the keyboard where it was, even if that item went', async () => {
    const { app, model, loaded, ids } = await start()
    const [, b = '', c = ''] = ids('facts')
    model.select(b)
    await app.bridge.removeItems(app.root, model.branch, [b])
    await loaded.reload()
    flushSync()
    expect(model.current?.id).toBe(c)
  })

  it('does not show an answer that a later change overtook', async () => {
    const { app, model, loaded, first } = await start()
    const id = first()
    const real = app.bridge.memory
    let late: () => void = () => {}
    const waiting = new Promise<void>((resolve) => {
      late = resolve
    })
    app.bridge.memory = async (root, branch) => {
      const old = await real(root, branch)
      await waiting
      return old
    }
    const reload = loaded.reload()
    await model.remove(id)
    late()
    await reload
    expect(model.item(id)).toBeUndefined()
  })
})
