import { screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bridge, Setting } from '../../bridge'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import { text } from '../../text'
import Review from './Review.svelte'

const t = text.review

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(900)
})

async function start(over: Partial<Bridge> = {}) {
  const app = await testApp({}, over)
  const proposals = await app.bridge.review(app.root)
  renderIn(app, Review)
  return { app, proposals, user: userEvent.setup() }
}

const row = () => document.activeElement as HTMLElement
const words = (of = '') => of.replaceAll('`', '')

async function started() {
  const s = await start()
  await screen.findByRole('list', { name: t.list })
  await waitFor(() => expect(row()).toHaveTextContent(words(s.proposals[0]?.content)))
  return s
}

describe('the inbox', () => {
  it('says what each proposal changes, for eyes and for screen readers', async () => {
    await started()
    expect(screen.getByRole('heading', { level: 2, name: 'feature/search-filters' })).toBeInTheDocument()
    const update = screen.getByRole('article', { name: t.actionText.update })
    expect(within(update).getByRole('insertion')).toHaveTextContent(`${t.added} Twice checked.`)
    expect(within(update).queryByRole('deletion')).not.toBeInTheDocument()
    const remove = screen.getByRole('article', { name: t.actionText.remove })
    expect(within(remove).getByRole('deletion')).toHaveTextContent(t.removed)
    expect(await violations()).toEqual([])
  })

  it('is worked through by j, k, a and x, and counts', async () => {
    const { app, user, proposals } = await started()
    await user.keyboard('jk')
    await waitFor(() => expect(row()).toHaveTextContent(words(proposals[0]?.content)))
    await user.keyboard('a')
    await waitFor(() => expect(row()).toHaveTextContent(words(proposals[1]?.content)))
    expect(screen.getByText(t.progress(1, 6))).toBeInTheDocument()
    await user.keyboard('x')
    await waitFor(() => expect(screen.getByText(t.progress(2, 6))).toBeInTheDocument())
    const { items } = await app.bridge.memory(app.root, 'feature/search-filters')
    expect(items.map((i) => i.content)).toContain(proposals[0]?.content)
    expect(items.map((i) => i.content)).not.toContain(proposals[1]?.content)
    await user.keyboard('u')
    await waitFor(() => expect(row()).toHaveTextContent(words(proposals[1]?.content)))
    expect(screen.getByText(t.progress(1, 6))).toBeInTheDocument()
  })

  it('takes no key that is meant for another part of the window', async () => {
    const { app, user } = await started()
    const call = vi.spyOn(app.bridge, 'decide')
    const other = document.body.appendChild(document.createElement('button'))
    other.focus()
    await user.keyboard('ax')
    expect(call).not.toHaveBeenCalled()
    other.remove()
    await user.keyboard('a')
    expect(call).toHaveBeenCalled()
  })

  it('lets words and section be edited before they are accepted', async () => {
    const { app, user } = await started()
    await user.keyboard('e')
    const area = await screen.findByRole('textbox', { name: t.editing })
    expect(area).toHaveFocus()
    await waitFor(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(1))
    await user.selectOptions(screen.getByRole('combobox', { name: t.editingSection }), 'bug-patterns')
    expect(await violations()).toEqual([])
    await user.clear(area)
    await user.type(area, 'My own words{Enter}')
    await waitFor(() => expect(screen.getByText(t.progress(1, 6))).toBeInTheDocument())
    const { items } = await app.bridge.memory(app.root, 'feature/search-filters')
    expect(items.find((i) => i.content === 'My own words')?.section).toBe('bug-patterns')
  })

  it('asks before a whole branch is decided, and undoes it in one', async () => {
    const { user } = await started()
    await user.keyboard('A')
    const dialog = await screen.findByRole('dialog', {
      name: t.acceptAllTitle('6 proposals', 'feature/search-filters'),
    })
    expect(dialog).toHaveTextContent(t.counts.add(3))
    expect(screen.getByText(t.progress(0, 6))).toBeInTheDocument()
    await user.click(within(dialog).getByRole('button', { name: t.acceptAll(6) }))
    expect(await screen.findByText(t.done)).toBeInTheDocument()
    // A key goes to the screen once the dialog has let go of it.
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await user.keyboard('u')
    expect(await screen.findByRole('list', { name: t.list })).toBeInTheDocument()
  })

  it('shows suggestions last, under a heading of their own, and decides them by the same keys', async () => {
    const app = await testApp()
    const all = await app.bridge.review(app.root)
    const maybe = all
      .slice(0, 2)
      .map((p, i) => ({ ...p, id: `s${i}`, content: `Maybe ${i}`, suggestion: true }))
    let left = [...maybe, ...all.slice(0, 2)]
    const decide = vi.fn(async (_root: string, decisions: { id: string }[]) => {
      left = left.filter((p) => !decisions.some((d) => d.id === p.id))
      return { left, undo: 'u', stale: [] }
    })
    const { user } = await start({ review: async () => left, decide })
    await screen.findByRole('list', { name: t.list })
    const headings = screen.getAllByRole('heading', { level: 2 }).map((h) => h.textContent)
    expect(headings).toEqual(['feature/search-filters', `${t.suggestions}: feature/search-filters`])
    expect(screen.getByText(t.suggestionsText)).toBeInTheDocument()
    expect(screen.getByText(t.progress(0, 2))).toBeInTheDocument()
    await waitFor(() => expect(row()).toHaveTextContent(words(all[0]?.content)))
    await user.keyboard('jj')
    await waitFor(() => expect(row()).toHaveTextContent('Maybe 0'))
    await user.keyboard('x')
    await waitFor(() => expect(row()).toHaveTextContent('Maybe 1'))
    expect(decide).toHaveBeenCalledWith(app.root, [{ id: 's0', accept: false }])
    await user.keyboard('A')
    const dialog = await screen.findByRole('dialog', {
      name: t.acceptAllTitle('1 suggestion', 'feature/search-filters'),
    })
    expect(dialog).toBeInTheDocument()
    expect(await violations()).toEqual([])
  })

  it('shows where a proposal came from', async () => {
    const { user, proposals } = await started()
    await user.keyboard('{Enter}')
    const panel = await screen.findByRole('complementary', { name: text.memory.from.title })
    await waitFor(() => expect(within(panel).getAllByText(text.memory.from.citedShort)).toHaveLength(1))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(row()).toHaveTextContent(words(proposals[0]?.content)))
    expect(screen.queryByRole('complementary')).not.toBeInTheDocument()
  })

  it('explains what went away', async () => {
    const { app, user, proposals } = await started()
    const first = proposals[0]
    app.bridge.decide = async () => ({ left: proposals.slice(1), undo: '', stale: [first?.id ?? ''] })
    await user.keyboard('a')
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent(t.stale(1))
    expect(alert).toHaveTextContent(first?.content ?? '')
  })
})

describe('an empty inbox', () => {
  const setting = (value: boolean, from: Setting['from']): Setting[] => [
    { key: 'review.enabled', value, from, kind: 'bool' },
  ]

  it('offers to let new items wait, for all projects', async () => {
    const setSetting = vi.fn(async () => setting(true, 'user'))
    const { app, user } = await start({
      review: async () => [],
      settings: async () => setting(false, 'default'),
      setSetting,
    })
    expect(await screen.findByText(t.noneOff)).toBeInTheDocument()
    const toggle = screen.getByRole('switch', { name: t.setting })
    expect(toggle).not.toBeChecked()
    await user.click(toggle)
    expect(setSetting).toHaveBeenCalledWith(app.root, 'review.enabled', true, true)
    await waitFor(() => expect(toggle).toBeChecked())
    expect(screen.getByText(t.noneOn)).toBeInTheDocument()
    expect(await violations()).toEqual([])
  })

  it('changes what a project says in the project', async () => {
    const setSetting = vi.fn(async () => setting(false, 'project'))
    const { app, user } = await start({
      review: async () => [],
      settings: async () => setting(true, 'project'),
      setSetting,
    })
    await user.click(await screen.findByRole('switch', { name: t.setting }))
    expect(setSetting).toHaveBeenCalledWith(app.root, 'review.enabled', false, false)
  })
})
