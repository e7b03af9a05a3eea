import { fireEvent, screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Bridge, BridgeProblem, type Memory as MemoryShape } from '../../bridge'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import { text } from '../../text'
import Memory from './Memory.svelte'

const t = text.memory

// jsdom lays nothing out: the list is as high as it must be for a few rows.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(700)
})

async function start(options: Record<string, string> = {}, over: Partial<Bridge> = {}, branch?: string) {
  const app = await testApp(options, over)
  if (branch) app.route.go({ branch })
  const items = (await app.bridge.memory(app.root, app.branch ?? '').catch(() => undefined))?.items ?? []
  renderIn(app, Memory)
  const user = userEvent.setup()
  return { app, user, items }
}

async function started(...args: Parameters<typeof start>) {
  const s = await start(...args)
  await screen.findByRole('list', { name: t.list })
  // The keyboard goes to the first item.
  await s.user.keyboard('j')
  await waitFor(() => expect(row()).toHaveTextContent(plain(s.items[1]?.content)))
  return s
}

const row = () => document.activeElement as HTMLElement
// The row that has these words.
const rowOf = (words = '') => {
  const found = screen.getAllByRole('listitem').find((r) => r.textContent?.includes(plain(words)))
  if (!found) throw new Error(`no row has ${words}`)
  return found
}
const plain = (words = '') => words.replaceAll('`', '')

describe('the items', () => {
  it('stand under headings, are walked by j and k, and are accessible', async () => {
    const { user, items } = await started()
    expect(screen.getByRole('heading', { level: 2, name: 'Facts' })).toBeInTheDocument()
    await user.keyboard('k')
    await waitFor(() => expect(row()).toHaveTextContent(plain(items[0]?.content)))
    expect(await violations()).toEqual([])
  })

  it('are edited in place: Enter saves, Ctrl+Z takes it back', async () => {
    const { user, items } = await started()
    await user.keyboard('e')
    const area = await screen.findByRole('textbox', { name: t.editing })
    expect(area).toHaveFocus()
    expect(area).toHaveValue(items[1]?.content)
    expect(await violations()).toEqual([])
    await user.clear(area)
    await user.type(area, 'Better words{Enter}')
    await waitFor(() => expect(row()).toHaveTextContent('Better words'))
    await user.keyboard('{Control>}z{/Control}')
    await waitFor(() => expect(screen.queryByText('Better words')).not.toBeInTheDocument())
  })

  it('are left alone by Escape', async () => {
    const { app, user, items } = await started()
    const call = vi.spyOn(app.bridge, 'editItem')
    await user.keyboard('e')
    await user.type(await screen.findByRole('textbox', { name: t.editing }), ' and more{Escape}')
    await waitFor(() => expect(row()).toHaveTextContent(plain(items[1]?.content)))
    expect(call).not.toHaveBeenCalled()
    expect(screen.queryByRole('textbox', { name: t.editing })).not.toBeInTheDocument()
  })

  it('take several lines that are pasted as one', async () => {
    const { app, user } = await started()
    await user.keyboard('n')
    const area = await screen.findByRole('textbox', { name: t.adding('Facts') })
    await user.click(area)
    await user.paste('- one\n\n  - two\r\nthree')
    expect(area).toHaveValue('- one - two three')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(row()).toHaveTextContent('- one - two three'))
    expect((await app.bridge.memory(app.root, app.branch ?? '')).items.at(-1)?.content).not.toContain('\n')
  })

  it('say why they are refused and keep what was written', async () => {
    const refused = new BridgeProblem({ code: 'duplicate', message: 'another item says the same' })
    const { user } = await started({}, { addItem: () => Promise.reject(refused) })
    await user.keyboard('n')
    const area = await screen.findByRole('textbox', { name: t.adding('Facts') })
    await user.type(area, 'Said before{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('another item says the same')
    expect(area).toHaveValue('Said before')
    expect(area).toHaveAttribute('aria-invalid', 'true')
  })

  it('are pinned by p and deleted by Delete, and the toast takes it back', async () => {
    const { app, user, items } = await started()
    await user.keyboard('p')
    await waitFor(() => expect(within(row()).getByRole('button', { name: t.unpin })).toBeInTheDocument())
    await user.keyboard('{Delete}')
    await waitFor(() => expect(row()).toHaveTextContent(plain(items[2]?.content)))
    expect(screen.queryByText(plain(items[1]?.content))).not.toBeInTheDocument()
    await app.notices.list.at(-1)?.undo?.()
    expect(await screen.findByText(plain(items[1]?.content))).toBeInTheDocument()
  })

  it('are moved by m and a number, and by Alt with the arrows', async () => {
    const { app, user, items } = await started()
    const id = items[1]?.id
    const order = async () => (await app.bridge.memory(app.root, app.branch ?? '')).items
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    await waitFor(async () => expect((await order())[0]?.id).toBe(id))
    await user.keyboard('m')
    const dialog = await screen.findByRole('dialog', { name: t.move })
    expect(await violations(dialog)).toEqual([])
    await user.keyboard('3')
    await waitFor(async () => expect((await order()).find((i) => i.id === id)?.section).toBe('conventions'))
    await waitFor(() => expect(row()).toHaveTextContent(plain(items[1]?.content)))
  })

  it('are dragged by their grip, and Escape lets them be', async () => {
    const { app, items } = await started()
    const call = vi.spyOn(app.bridge, 'moveItem')
    const over = rowOf(items[2]?.content)
    document.elementFromPoint = () => over
    const grip = () => rowOf(items[0]?.content).querySelector('.grip') as HTMLElement
    const drag = async () => {
      await fireEvent(grip(), new MouseEvent('pointerdown', { bubbles: true, clientY: 5 }))
      await fireEvent(window, new MouseEvent('pointermove', { clientY: 50 }))
      await waitFor(() => expect(over.querySelector('.after')).not.toBeNull())
    }
    await drag()
    await fireEvent.keyDown(window, { key: 'Escape' })
    await fireEvent(window, new MouseEvent('pointerup'))
    expect(call).not.toHaveBeenCalled()
    await drag()
    await fireEvent(window, new MouseEvent('pointerup'))
    await waitFor(() => expect(call).toHaveBeenCalledTimes(1))
    expect(call).toHaveBeenCalledWith(app.root, 'main', items[0]?.id, 'facts', items[3]?.id)
    await waitFor(() => expect(row()).toHaveTextContent(plain(items[0]?.content)))
  })

  it('take no keys while something is written elsewhere', async () => {
    const { app, user } = await started()
    const call = vi.spyOn(app.bridge, 'removeItems')
    await user.keyboard('/')
    expect(screen.getByRole('searchbox', { name: t.filter })).toHaveFocus()
    await user.keyboard('jjpe{Delete}{Backspace}')
    expect(call).not.toHaveBeenCalled()
    expect(screen.getByRole('searchbox', { name: t.filter })).toHaveValue('jjp')
    expect(screen.getByText(t.noMatch)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: t.clearFilter }))
    await screen.findByRole('list', { name: t.list })
  })
})

describe('the search', () => {
  it('shows what matches, and Enter goes to the first hit', async () => {
    const { user, items } = await started()
    await user.keyboard('/')
    const hit = items.find((i) => i.content.includes('staging'))
    await user.keyboard('STAGING')
    await waitFor(() => expect(screen.getAllByText(t.found(1, items.length)).length).toBeGreaterThan(0))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(row()).toHaveTextContent(plain(hit?.content)))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.getByRole('searchbox')).toHaveValue(''))
  })
})

describe('where an item came from', () => {
  it('is opened by Enter, shows the cited turns, and Escape goes back', async () => {
    const { user, items } = await started()
    await user.keyboard('k')
    await waitFor(() => expect(row()).toHaveTextContent(plain(items[0]?.content)))
    await user.keyboard('{Enter}')
    const panel = await screen.findByRole('complementary', { name: t.from.title })
    await waitFor(() => expect(within(panel).getAllByText(t.from.citedShort).length).toBeGreaterThan(0))
    expect(within(panel).getByRole('heading', { name: t.from.title })).toHaveFocus()
    expect(within(panel).getByRole('heading', { name: 'Invoice totals' })).toBeInTheDocument()
    expect(await violations()).toEqual([])
    await user.keyboard('{Escape}')
    await waitFor(() => expect(row()).toHaveTextContent(plain(items[0]?.content)))
    expect(screen.queryByRole('complementary')).not.toBeInTheDocument()
  })

  it('follows the keyboard through the list', async () => {
    const { user, items } = await started()
    await user.click(rowOf(items[0]?.content))
    const panel = await screen.findByRole('complementary', { name: t.from.title })
    await user.keyboard('j')
    await waitFor(() => expect(panel).toHaveTextContent(plain(items[1]?.content)))
  })

  it('reads the whole session, beginning at what was cited', async () => {
    const { user, items } = await started()
    await user.click(rowOf(items[0]?.content))
    await user.click(await screen.findByRole('button', { name: t.from.whole }))
    const dialog = await screen.findByRole('dialog', { name: 'Invoice totals' })
    expect(await within(dialog).findByText(t.session.at(1, 1), { exact: false })).toBeInTheDocument()
    await waitFor(() => expect(row()).toHaveTextContent(t.session.turn(2, 5)))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(screen.getByRole('complementary')).toBeInTheDocument()
  })
})

describe('versions', () => {
  it('restore what was, after asking, and can be undone', async () => {
    const { app, user, items } = await started()
    await user.click(screen.getByRole('tab', { name: t.versions }))
    const list = await screen.findByRole('list', { name: t.version.list })
    const buttons = within(list).getAllByRole('button')
    await user.click(buttons.at(-1) as HTMLElement)
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: t.version.restoreDo }))
    const count = async () => (await app.bridge.memory(app.root, app.branch ?? '')).items.length
    await waitFor(async () => expect(await count()).toBeLessThan(items.length))
    await app.notices.list.at(-1)?.undo?.()
    expect(await count()).toBe(items.length)
    expect(await violations()).toEqual([])
  })
})

describe('clearing', () => {
  it('wants the name typed', async () => {
    const { app, user, items } = await started()
    screen.getByRole('button', { name: t.more }).focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.querySelector('[role=menuitem]')).not.toBeNull())
    await user.keyboard('{End}{Enter}')
    const dialog = await screen.findByRole('dialog', { name: t.clearTitle('main') })
    const button = within(dialog).getByRole('button', { name: t.clearDo })
    expect(button).toBeDisabled()
    await user.type(within(dialog).getByRole('textbox', { name: t.clearType('main') }), 'mai')
    expect(button).toBeDisabled()
    await user.keyboard('n')
    await user.click(button)
    expect(await screen.findByText(t.none('main'))).toBeInTheDocument()
    await app.notices.list.at(-1)?.undo?.()
    await waitFor(() => expect(rowOf(items[0]?.content)).toBeInTheDocument())
  })
})

describe('a memory that is not as one would wish', () => {
  it('teaches what memorizing does where there is none', async () => {
    const { app, user } = await start({}, {}, 'spike/offline-basket')
    const memorize = vi.spyOn(app.bridge, 'memorize')
    await user.click(await screen.findByRole('button', { name: t.memorize('spike/offline-basket') }))
    expect(memorize).toHaveBeenCalledWith(app.root, { branches: ['spike/offline-basket'] })
    expect(await violations()).toEqual([])
  })

  it('tells of damage with file and line', async () => {
    await started({ damage: '' })
    const alert = screen.getByRole('alert')
    expect(alert).toHaveTextContent(t.damageAt('main.items.jsonl', 7))
    expect(alert).toHaveTextContent('the line is cut off in the middle')
  })

  it('says what went wrong and tries again', async () => {
    let fail = true
    const { app } = await start()
    const real = app.bridge.memory
    app.bridge.memory = async (root, branch) => {
      if (fail) throw new BridgeProblem({ code: 'failed', message: 'the disk is gone' })
      return real(root, branch)
    }
    app.route.go({ branch: 'feature/checkout' })
    expect(await screen.findByText('the disk is gone')).toBeInTheDocument()
    fail = false
    await userEvent.click(screen.getByRole('button', { name: text.general.retry }))
    expect(await screen.findByRole('list', { name: t.list })).toBeInTheDocument()
  })

  it('shows hostile words as words', async () => {
    const hostile = '<img src=x onerror="document.title=1"> \u202egnp `<b>x</b>` \u0007'
    const { app } = await start()
    const real = app.bridge.memory
    app.bridge.memory = async (root, branch): Promise<MemoryShape> => {
      const m = await real(root, branch)
      return {
        ...m,
        sections: [{ id: 'facts', heading: '<i>Facts</i>\u202e' }],
        items: m.items.slice(0, 1).map((i) => ({ ...i, content: hostile, rationale: hostile })),
      }
    }
    app.route.go({ branch: 'feature/checkout' })
    await screen.findByRole('heading', { level: 2, name: /<i>Facts<\/i>/ })
    await waitFor(() => expect(document.body).toHaveTextContent('<img src=x onerror="document.title=1">'))
    expect(document.querySelector('img, b, .line i')).toBeNull()
    for (const odd of ['\u202e', '\u0007']) expect(document.body.textContent).not.toContain(odd)
  })

  it('keeps to its branch when an answer comes late', async () => {
    const { app } = await start()
    const real = app.bridge.memory
    const late: (() => void)[] = []
    app.bridge.memory = async (root, branch) => {
      const m = await real(root, branch)
      if (branch === 'feature/checkout') await new Promise<void>((resolve) => late.push(resolve))
      return m
    }
    app.route.go({ branch: 'feature/checkout' })
    await waitFor(() => expect(late).toHaveLength(1))
    app.route.go({ branch: 'main' })
    late[0]?.()
    await screen.findByRole('list', { name: t.list })
    expect(screen.getByRole('heading', { level: 1, name: t.of('main') })).toBeInTheDocument()
    expect(screen.getByText(t.count(14), { exact: false })).toBeInTheDocument()
  })
})
