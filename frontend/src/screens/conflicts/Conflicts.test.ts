import { screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bridge } from '../../bridge'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import { text } from '../../text'
import Conflicts from './Conflicts.svelte'

const t = text.conflicts

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(900)
})

async function start(over: Partial<Bridge> = {}) {
  const app = await testApp({}, over)
  const list = await app.bridge.conflicts(app.root, true)
  renderIn(app, Conflicts)
  const user = userEvent.setup()
  return {
    app,
    user,
    list,
    words: (i: number, side: 0 | 1) => list[i]?.items[side]?.content.replaceAll('`', '') ?? '',
  }
}

describe('a conflict', () => {
  it('shows both sides with confidence, date, age and origin, and what can be done', async () => {
    const { words } = await start()
    const older = await screen.findByRole('region', { name: `${t.older} (${t.remembered})` })
    const newer = screen.getByRole('region', { name: `${t.newer} (${t.found})` })
    expect(older).toHaveTextContent(words(0, 0))
    expect(older).toHaveTextContent('92%')
    expect(older).toHaveTextContent('34 days ago')
    expect(older).toHaveTextContent(t.byPerson)
    expect(newer).toHaveTextContent(words(0, 1))
    expect(newer).toHaveTextContent('Claude Code')
    const choices = within(screen.getByRole('group', { name: t.decide })).getAllByRole('button')
    expect(choices).toHaveLength(4)
    expect(choices[1]).toHaveTextContent(t.keepNewerText)
    expect(await violations()).toEqual([])
  })

  it('is decided by its number, and the next has the keyboard', async () => {
    const { app, user, list, words } = await start()
    const call = vi.spyOn(app.bridge, 'resolveConflict')
    await screen.findByText(words(0, 0))
    await user.keyboard('1')
    await waitFor(() => expect(document.activeElement).toHaveTextContent(words(1, 1)))
    expect(call).toHaveBeenCalledWith(app.root, list[0]?.id, 'older', '')
    await user.click(screen.getByRole('tab', { name: new RegExp(t.history) }))
    expect(await screen.findByRole('article', { name: t.decisions.older })).toHaveTextContent(words(0, 0))
    expect(await violations()).toEqual([])
  })

  it('keeps both with a note alone, and numbers in the note decide nothing', async () => {
    const { app, user, list, words } = await start()
    const call = vi.spyOn(app.bridge, 'resolveConflict')
    await screen.findByText(words(0, 0))
    await user.keyboard('3')
    const note = await screen.findByRole('textbox', { name: t.note })
    await waitFor(() => expect(note).toHaveFocus())
    await user.keyboard('{Enter}')
    expect(await screen.findByText(t.noteNeeded)).toBeInTheDocument()
    expect(await violations()).toEqual([])
    await user.type(note, 'since 2{Enter}')
    await waitFor(() => expect(call).toHaveBeenCalledTimes(1))
    expect(call).toHaveBeenCalledWith(app.root, list[0]?.id, 'both', 'since 2')
  })

  it('forgets the note by Escape and has the keyboard again', async () => {
    const { user, words } = await start()
    await screen.findByText(words(0, 0))
    await user.keyboard('3')
    await screen.findByRole('textbox', { name: t.note })
    await user.keyboard('x{Escape}')
    await waitFor(() => expect(screen.queryByRole('textbox')).not.toBeInTheDocument())
    await waitFor(() => expect(document.activeElement?.tagName).toBe('ARTICLE'))
  })

  it('shows where each side came from', async () => {
    const { user, words } = await start()
    await screen.findByText(words(0, 0))
    const [, newer] = screen.getAllByRole('button', { name: t.source })
    await user.click(newer as HTMLElement)
    const panel = await screen.findByRole('complementary', { name: text.memory.from.title })
    await waitFor(() => expect(within(panel).getAllByText(text.memory.from.citedShort)).toHaveLength(1))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('complementary')).not.toBeInTheDocument()
    expect(newer).toHaveFocus()
  })

  it('is text only, whatever is in it', async () => {
    const { app } = await start()
    const hostile = '<script>document.title="x"</script>\u202e'
    const real = app.bridge.conflicts
    app.bridge.conflicts = async (root, all) =>
      (await real(root, all)).map((c) => ({
        ...c,
        why: hostile,
        category: hostile,
        branch: hostile,
        items: c.items.map((s) => ({ ...s, content: hostile })),
      }))
    renderIn(app, Conflicts)
    await waitFor(() => expect(screen.getAllByText(/<script>/).length).toBeGreaterThan(3))
    expect(document.querySelector('script')).toBeNull()
    expect(document.body.textContent).not.toContain('\u202e')
  })
})

describe('a conflict of two that are remembered', () => {
  it('says so, and what becomes of the newer one', async () => {
    const app = await testApp()
    const real = app.bridge.conflicts
    app.bridge.conflicts = async (root, all) =>
      (await real(root, all)).map((c) => ({
        ...c,
        items: c.items.map((s, i) => ({ ...s, itemId: `i${i}` })),
      }))
    renderIn(app, Conflicts)
    expect(await screen.findByRole('region', { name: `${t.newer} (${t.remembered})` })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: new RegExp(t.outdatedRemembered) })).toBeInTheDocument()
  })
})

describe('no conflict', () => {
  it('says when one would be here', async () => {
    await start({ conflicts: async () => [] })
    expect(await screen.findByText(t.noneText)).toBeInTheDocument()
    await userEvent.click(screen.getByRole('tab', { name: t.history }))
    expect(await screen.findByText(t.noHistory)).toBeInTheDocument()
    expect(await violations()).toEqual([])
  })
})
