import { screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bridge, Injection as View } from '../../bridge'
import { BridgeProblem } from '../../bridge'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import { text } from '../../text'
import Injection from './Injection.svelte'
import { leftLines, roomFor, shownLines, words } from './model.svelte'

const t = text.injection

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(900)
})

async function start(over: Partial<Bridge> = {}) {
  const app = await testApp({}, over)
  const view = await app.bridge.previewInjection(app.root, app.branch ?? '')
  const { container } = renderIn(app, Injection)
  return { app, view, container, user: userEvent.setup() }
}

describe('injection', () => {
  it('shows the very block, what it costs, and every file', async () => {
    const { view, container } = await start()
    const block = await screen.findByRole('region', { name: t.blockLabel })
    expect(block).toHaveTextContent(view.block.text.replaceAll(/\s+/g, ' ').trim())
    expect(screen.getByRole('meter', { name: t.budget })).toHaveAttribute(
      'aria-valuenow',
      String(view.block.tokens),
    )
    for (const target of view.targets) {
      const file = screen.getByRole('article', { name: target.name })
      expect(file).toHaveTextContent(t.outcome[target.outcome] ?? '')
      if (target.reason) expect(file).toHaveTextContent(target.reason)
    }
    expect(await violations(container)).toEqual([])
  })

  it('says why each item is in the block or left out', async () => {
    const { view, user } = await start()
    await user.click(await screen.findByRole('tab', { name: new RegExp(t.left) }))
    const lines = leftLines(view)
    expect(lines.length).toBeGreaterThan(0)
    for (const why of new Set(lines.map((l) => l.why))) {
      expect(await screen.findAllByText(why)).toHaveLength(lines.filter((l) => l.why === why).length)
    }
    await user.click(screen.getByRole('tab', { name: new RegExp(t.shown) }))
    const first = shownLines(view)[0]
    const words = (first?.item?.content ?? 'none').replaceAll('`', '')
    await waitFor(() => expect(screen.getAllByRole('listitem')[0]?.textContent).toContain(words))
  })

  it('asks before it writes, writes one file, and says so', async () => {
    const inject = vi.fn<Bridge['inject']>()
    const { app, view, user } = await start({ inject })
    inject.mockResolvedValue({ ...view, targets: view.targets.slice(0, 1) })
    const target = view.targets.find((x) => x.outcome === 'written')
    if (!target) throw new Error('the fake has nothing to write')
    await user.click(await screen.findByRole('button', { name: t.writeOf(target.name) }))
    const dialog = await screen.findByRole('dialog', { name: t.confirmWrite(target.name) })
    expect(inject).not.toHaveBeenCalled()
    await user.click(within(dialog).getByRole('button', { name: t.write }))
    await waitFor(() =>
      expect(inject).toHaveBeenCalledWith(app.root, app.branch, [target.name], false, false),
    )
    await waitFor(() => expect(app.notices.list.map((n) => n.text)).toContain(words(target)))
  })

  it('asks for a yes before it writes the block of a branch that is not checked out', async () => {
    const { app, user } = await start()
    const inject = vi.spyOn(app.bridge, 'inject')
    const here = app.branch ?? ''
    expect(await screen.findByText(text.projects.current)).toBeVisible()
    const other = app.branches.value?.find((b) => !b.current && b.items)?.name ?? ''
    app.go({ branch: other })
    const where = `${here} is checked out`
    expect(await screen.findByText(t.otherTitle(other, where))).toBeVisible()
    expect(screen.getByText(where)).toBeVisible()
    await user.click(await screen.findByRole('button', { name: t.writeOf('CLAUDE.md') }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent(t.confirmOtherText(other, where))
    expect(inject).not.toHaveBeenCalled()
    await user.click(within(dialog).getByRole('button', { name: t.writeOther }))
    await waitFor(() => expect(inject).toHaveBeenCalledWith(app.root, other, ['CLAUDE.md'], false, true))
    await user.click(screen.getByRole('button', { name: t.showCheckedOut }))
    expect(app.branch).toBe(here)
  })

  it('writes nothing while it is turned off, and offers to turn it on', async () => {
    const setSetting = vi.fn<Bridge['setSetting']>().mockResolvedValue([])
    const fake = await testApp()
    const off = { ...(await fake.bridge.previewInjection(fake.root, fake.branch ?? '')), disabled: true }
    const { app, user } = await start({ setSetting, previewInjection: async () => off })
    expect(await screen.findByText(t.off)).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Write/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: t.turnOn }))
    expect(setSetting).toHaveBeenCalledWith(app.root, 'inject.enabled', true, false)
  })

  it('tells what keeps it from showing anything', async () => {
    const problem = new BridgeProblem({
      code: 'settings',
      message: 'the settings are damaged',
      hint: 'mend them',
    })
    await start({
      previewInjection: vi.fn().mockResolvedValueOnce({ targets: [] }).mockRejectedValue(problem),
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('the settings are damaged')
  })
})

describe('words', () => {
  const target = { path: '/p/CLAUDE.md', name: 'CLAUDE.md' }
  it.each([
    [{ ...target, outcome: 'written' as const }, 'CLAUDE.md is written.'],
    [
      { ...target, outcome: 'refused' as const, reason: 'its markers are broken' },
      'CLAUDE.md was left alone: its markers are broken.',
    ],
    [
      { ...target, outcome: 'skipped' as const, reason: 'it reads AGENTS.md' },
      'CLAUDE.md was skipped: it reads AGENTS.md.',
    ],
  ])('tell what became of a file', (got, want) => expect(words(got)).toBe(want))

  it('say for want of what an item has no room, and what can be done', () => {
    const facts = { id: 'f', section: 'facts', content: 'A fact', state: 'active' }
    const view = (over: object, item: object = facts) =>
      ({
        budget: 300,
        items: [item],
        block: {
          tokens: 290,
          shown: null,
          left: [{ id: 'f', reason: 'budget', needs: 23 }],
          order: ['conventions', 'facts'],
          shares: { facts: 30 },
          ...over,
        },
      }) as unknown as View
    expect(leftLines(view({}))[0]).toMatchObject({
      why: 'The section Facts comes last and has 30 tokens for itself, and the budget is used up. It takes 23 tokens; 10 of 300 are left',
      cures: ['pin'],
    })
    expect(leftLines(view({ order: ['facts', 'x', 'y'], shares: undefined }))[0]?.why).toMatch(
      /^The section Facts comes 1st of 3 and has no part of the budget for itself/,
    )
    expect(leftLines(view({}, { ...facts, pinned: true }))[0]).toMatchObject({ cures: [] })
    expect(leftLines(view({ left: [{ id: 'f', reason: 'contradicted' }] }))[0]?.cures).toEqual(['decide'])
    expect(roomFor(view({ full: 1234 }))).toBe(1300)
    expect(roomFor(view({ full: 9000 }))).toBeUndefined()
    expect(roomFor(view({}))).toBeUndefined()
  })

  it('name what the policy chose and the memory does not have', () => {
    const view = {
      items: [],
      block: { shown: null, left: [{ id: 'x', reason: 'unknown id' }] },
    } as unknown as View
    expect(shownLines(view)).toEqual([])
    expect(leftLines(view)).toEqual([{ id: 'x', item: undefined, why: t.reasons['unknown id'], cures: [] }])
  })

  it('name what holds instead, and the reason of the policy', () => {
    const view = {
      items: [{ id: 'new', content: 'The port is 9090.' }],
      block: {
        shown: null,
        left: [
          { id: 'old', reason: 'contradicted', by: 'new', why: 'it gives another number' },
          { id: 'x', reason: 'not selected', why: 'its section is not asked for' },
        ],
      },
    } as unknown as View
    expect(leftLines(view).map((l) => l.why)).toEqual([
      'Another item says otherwise: it gives another number. What holds: The port is 9090.',
      'The policy did not choose it: its section is not asked for',
    ])
  })
})
