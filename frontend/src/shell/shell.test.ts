import { render, screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import Root from '../App.svelte'
import { fakeBridge } from '../bridge/fake'
import { renderIn, testApp } from '../test/app'
import { violations } from '../test/axe'
import { commands, match } from './commands'
import Header from './Header.svelte'
import { keyOf } from './keys'
import StatusBar from './StatusBar.svelte'

function start(options = '') {
  return render(Root, { bridge: fakeBridge(new URLSearchParams(`fast&${options}`)) })
}
const key = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init)

describe('keys', () => {
  it('know screens and overlays, and leave writing alone', () => {
    expect(keyOf(key({ key: '3', ctrlKey: true }))).toBe(2)
    expect(keyOf(key({ key: '8', metaKey: true }))).toBe(7)
    expect(keyOf(key({ key: '9', ctrlKey: true }))).toBeUndefined()
    expect(keyOf(key({ key: '1', ctrlKey: true, altKey: true }))).toBeUndefined()
    expect(keyOf(key({ key: 'K', ctrlKey: true }))).toBe('palette')
    expect(keyOf(key({ key: '?' }))).toBe('shortcuts')
    const input = document.createElement('input')
    const e = key({ key: '?' })
    input.dispatchEvent(e)
    expect(keyOf(e)).toBeUndefined()
  })
})

describe('the shell', () => {
  it('has its landmarks, counters and a screen', async () => {
    start()
    await screen.findByRole('heading', { level: 1, name: 'Projects and branches' })
    const nav = screen.getByRole('navigation', { name: 'Screens' })
    await within(nav).findByRole('button', { name: /Review.*6 proposals wait/ })
    expect(within(nav).getByRole('button', { name: /Projects/ })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByRole('banner')).toBeVisible()
    expect(screen.getByRole('main')).toBeVisible()
    expect(screen.getByRole('contentinfo')).toHaveTextContent('Attention')
    expect(await violations()).toEqual([])
  })

  it('goes to screens by keyboard and shows what is wrong with none', async () => {
    start()
    await screen.findByRole('heading', { name: 'Projects and branches' })
    await userEvent.keyboard('{Control>}8{/Control}')
    expect(await screen.findByRole('heading', { level: 1, name: /Settings/ })).toBeVisible()
    expect(screen.getByRole('main')).toHaveFocus()
    await waitFor(() => expect(document.title).toBe('Settings – corner-shop – Recollect'))
  })

  it('lists projects whose folder is gone last, and says so', async () => {
    start()
    await screen.findByRole('heading', { name: 'Projects and branches' })
    await userEvent.click(screen.getByRole('combobox', { name: 'Project' }))
    const gone = (await screen.findAllByRole('option')).map((o) => /folder is gone/.test(o.textContent ?? ''))
    expect(gone.at(-1)).toBe(true)
    expect(gone.at(0)).toBe(false)
  })

  it('asks for a project where a screen needs one', async () => {
    start('empty')
    await userEvent.keyboard('{Control>}2{/Control}')
    expect(await screen.findByText('Choose a project first')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Open Projects' }))
    expect(await screen.findByText('No project was found')).toBeVisible()
  })

  it('says what failed and tries again', async () => {
    start('fail=projects')
    expect((await screen.findAllByText('the call projects was told to fail'))[0]).toBeVisible()
    expect(screen.getAllByRole('button', { name: 'Try again' })[0]).toBeEnabled()
  })

  it('tells an error that nothing has caught', async () => {
    start()
    await screen.findByRole('heading', { name: 'Projects and branches' })
    dispatchEvent(new ErrorEvent('error', { message: 'a stray error', error: new Error('a stray error') }))
    expect(await screen.findByText('a stray error')).toBeVisible()
    dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop completed' }))
    expect(screen.queryByText(/ResizeObserver/)).toBeNull()
  })

  it('never lets what is dropped become the page', async () => {
    start()
    const drop = new Event('drop', { bubbles: true, cancelable: true })
    document.body.dispatchEvent(drop)
    expect(drop.defaultPrevented).toBe(true)
  })

  it('finds and does by the palette', async () => {
    start()
    await screen.findByRole('heading', { name: 'Projects and branches' })
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Branch' })).toHaveValue('main'))
    await userEvent.keyboard('{Control>}k{/Control}')
    const field = await screen.findByRole('combobox', { name: /Go to a screen/ })
    await waitFor(() => expect(field).toHaveFocus())
    await userEvent.keyboard('checkout')
    const options = within(screen.getByRole('dialog')).getAllByRole('option')
    expect(options.some((o) => o.textContent?.includes('feature/checkout'))).toBe(true)
    expect(field.getAttribute('aria-activedescendant')).toBe(options[0]?.id)
    expect(await violations()).toEqual([])
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('combobox', { name: 'Branch' })).toHaveValue('feature/checkout')
  })

  it('finds an item by its words and goes to it', async () => {
    start()
    await screen.findByRole('heading', { name: 'Projects and branches' })
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Branch' })).toHaveValue('main'))
    await userEvent.keyboard('{Control>}k{/Control}')
    await waitFor(() => expect(screen.getByRole('combobox', { name: /Go to a screen/ })).toHaveFocus())
    await userEvent.keyboard('sqlite postgres')
    const hit = await screen.findByRole('option', { name: /We chose SQLite/ })
    expect(await violations()).toEqual([])
    await userEvent.click(hit)
    await screen.findByRole('heading', { name: /Memory of/ })
    await waitFor(() =>
      expect(document.activeElement?.closest('[data-index]')).toHaveTextContent('We chose SQLite'),
    )
  })

  it('does what the menu of a memory can, from another screen', async () => {
    start()
    await screen.findByRole('heading', { name: 'Projects and branches' })
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Branch' })).toHaveValue('main'))
    await userEvent.keyboard('{Control>}k{/Control}')
    await waitFor(() => expect(screen.getByRole('combobox', { name: /Go to a screen/ })).toHaveFocus())
    await userEvent.keyboard('clear memory{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Clear the memory of main?' })).toBeVisible()
  })

  it('lists the shortcuts', async () => {
    start()
    await screen.findByRole('heading', { name: 'Projects and branches' })
    await userEvent.keyboard('?')
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(dialog).toHaveTextContent('Search and do')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('commands', () => {
  it('match every word, the beginning of a label first', async () => {
    const app = await testApp()
    const all = commands(app)
    expect(match(all, 'them dark').map((c) => c.id)).toEqual(['theme-dark'])
    expect(match(all, 'main')[0]?.group).toBe('do')
    expect(match(all, 'main').some((c) => c.id === 'memorize')).toBe(true)
    expect(new Set(all.map((c) => c.id)).size).toBe(all.length)
    expect(match(all, 'nothing like it')).toEqual([])
    match(all, 'todo-garden')[0]?.run()
    expect(app.root).toBe('/home/sam/code/todo-garden')
  })
})

describe('the header', () => {
  it('picks a branch', async () => {
    const app = await testApp()
    renderIn(app, Header)
    await userEvent.click(screen.getByRole('combobox', { name: 'Branch' }))
    await userEvent.keyboard('round{Enter}')
    await waitFor(() => expect(app.branch).toBe('fix/rounding'))
  })
})

describe('the status bar', () => {
  it('shows the running job, its progress, and cancels it', async () => {
    const app = await testApp()
    const end = app.start()
    renderIn(app, StatusBar)
    const id = (await app.memorize(app.root, [])) ?? 0
    expect(await screen.findByRole('progressbar')).toBeInTheDocument()
    await userEvent.click(await screen.findByRole('button', { name: /^Cancel: Memorizing/ }))
    expect((await app.jobs.finished(id)).state).toBe('cancelled')
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
    end()
  })

  it('tells the last error with its hint', async () => {
    const app = await testApp({ error: '' })
    renderIn(app, StatusBar)
    await userEvent.click(screen.getByRole('button', { name: /Status details: Error/ }))
    expect(await screen.findByText('the model budget of today is spent')).toBeInTheDocument()
    expect(screen.getByText(/raise budget.day_dollars/)).toBeInTheDocument()
  })

  it('tells that a file shows an older memory, and leads to where it is written', async () => {
    const fake = await testApp()
    const status = await fake.bridge.status(fake.root)
    const stale = [{ path: '/p/CLAUDE.md', name: 'CLAUDE.md', words: 'an older memory' }]
    const app = await testApp({}, { status: async () => ({ ...status, stale_blocks: stale }) })
    renderIn(app, StatusBar)
    await userEvent.click(screen.getByRole('button', { name: /Status details/ }))
    await userEvent.click(await screen.findByText('CLAUDE.md shows an older memory'))
    expect(app.route.screen).toBe('injection')
    expect(app.branch).toBe(status.head.branch)
  })
})
