import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { createRawSnippet } from 'svelte'
import { describe, expect, it, vi } from 'vitest'
import { renderIn, testApp } from '../test/app'
import { violations } from '../test/axe'
import {
  Badge,
  Button,
  Card,
  Combobox,
  Confidence,
  ConfirmDialog,
  Dialog,
  Empty,
  IconButton,
  Kbd,
  Menu,
  Meter,
  NumberField,
  Problem,
  Progress,
  SearchField,
  SectionTag,
  Select,
  Skeleton,
  Switch,
  Tabs,
  TextField,
  Time,
  TwoPane,
  Untrusted,
} from '.'

const words = (text: string) => createRawSnippet(() => ({ render: () => `<span>${text}</span>` }))

// What floats is placed by measuring, which jsdom can't: it stays hidden there.

describe('Button', () => {
  it('is pressed, and not while it works', async () => {
    const onclick = vi.fn()
    const { rerender } = render(Button, { onclick, children: words('Go') })
    await userEvent.click(screen.getByRole('button', { name: 'Go' }))
    expect(onclick).toHaveBeenCalledTimes(1)
    await rerender({ onclick, busy: true, children: words('Go') })
    expect(screen.getByRole('button')).toBeDisabled()
    expect(screen.getByRole('button')).toHaveAttribute('aria-busy', 'true')
  })
  it('of an icon has a name', async () => {
    render(IconButton, { icon: 'pin', label: 'Pin it', pressed: true })
    expect(screen.getByRole('button', { name: 'Pin it', pressed: true })).toBeVisible()
    expect(await violations()).toEqual([])
  })
})

describe('what only shows', () => {
  it('has no accessibility faults', async () => {
    render(Badge, { tone: 'warn', children: words('3') })
    render(Card, { title: 'Card', children: words('inside') })
    render(Empty, { title: 'Nothing', text: 'Because', children: words('act') })
    render(Kbd, { keys: 'Ctrl+K' })
    render(Skeleton)
    render(SectionTag, { id: 'facts' })
    expect(screen.getByRole('region', { name: 'Card' })).toBeVisible()
    expect(screen.getByText('Facts')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  it('says confidence and progress to screen readers', () => {
    render(Confidence, { value: 0.834 })
    expect(screen.getByText('83% sure')).toBeInTheDocument()
    render(Progress, { label: 'Reading', done: 3, total: 4 })
    expect(screen.getByRole('progressbar', { name: 'Reading' })).toHaveAttribute('aria-valuenow', '75')
    render(Progress, { label: 'Unknown' })
    expect(screen.getByRole('progressbar', { name: 'Unknown' })).not.toHaveAttribute('aria-valuenow')
  })

  it('shows a limit and what is used of it', () => {
    render(Meter, { label: 'Tokens', used: 900, limit: 700 })
    expect(screen.getByRole('meter', { name: 'Tokens' })).toHaveAttribute('aria-valuetext', '900 / 700')
    render(Meter, { label: 'Calls', used: 5, limit: -1 })
    expect(screen.queryByRole('meter', { name: 'Calls' })).toBeNull()
  })

  it('shows a time, or what stands for none', () => {
    render(Time, { time: new Date(Date.now() - 3 * 3600e3).toISOString() })
    expect(screen.getByText('3 hours ago')).toHaveAttribute('datetime')
    render(Time, { time: undefined, none: 'never' })
    expect(screen.getByText('never')).toBeVisible()
  })
})

describe('Untrusted', () => {
  it('never makes elements of text', () => {
    const { container } = render(Untrusted, {
      text: '<img src=x onerror=alert(1)> \u202etxt <a href="x">l</a>',
    })
    expect(container.querySelector('img, a')).toBeNull()
    expect(container.textContent).toContain('<img src=x onerror=alert(1)>')
    expect(container.textContent).toContain('⟨U+202E⟩')
  })
  it('marks what is searched for', () => {
    const { container } = render(Untrusted, { text: 'Cents, not cents.', mark: 'CENTS' })
    expect([...container.querySelectorAll('mark')].map((m) => m.textContent)).toEqual(['Cents', 'cents'])
    expect(container.textContent).toBe('Cents, not cents.')
  })
})

describe('Problem', () => {
  it('says what happened, what to do, and details on request', async () => {
    const retry = vi.fn()
    render(Problem, {
      problem: { code: 'x', message: 'it broke', hint: 'Mend it.', detail: 'line 3' },
      retry,
    })
    expect(screen.getByRole('alert')).toHaveTextContent('it broke')
    expect(screen.getByText('Mend it.')).toBeVisible()
    expect(screen.getByText('line 3')).not.toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(retry).toHaveBeenCalled()
    expect(await violations()).toEqual([])
  })
})

describe('fields', () => {
  it('tie label, hint and error to the control', async () => {
    render(TextField, { label: 'Name', value: 'x', hint: 'As people know it', error: 'Too short' })
    const input = screen.getByLabelText('Name')
    expect(input).toHaveAccessibleDescription('As people know it Too short')
    expect(input).toBeInvalid()
    render(NumberField, { label: 'Budget', value: 5, min: 1 })
    expect(screen.getByLabelText('Budget')).toHaveValue(5)
    render(Select, {
      label: 'Theme',
      value: 'b',
      options: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B' },
      ],
    })
    expect(screen.getByLabelText('Theme')).toHaveValue('b')
    expect(await violations()).toEqual([])
  })
  it('of several lines take text', async () => {
    render(TextField, { label: 'Note', value: '', rows: 3 })
    await userEvent.type(screen.getByLabelText('Note'), 'two{enter}lines')
    expect(screen.getByLabelText('Note')).toHaveValue('two\nlines')
  })
  it('of search are emptied by Escape first', async () => {
    const onkeydown = vi.fn()
    render(SearchField, { label: 'Find', value: '', onkeydown })
    const input = screen.getByRole('searchbox', { name: 'Find' })
    await userEvent.type(input, 'abc{Escape}')
    expect(input).toHaveValue('')
  })
  it('of a switch turn', async () => {
    const onchange = vi.fn()
    render(Switch, { label: 'Review', checked: false, onchange })
    await userEvent.click(screen.getByRole('switch', { name: 'Review' }))
    expect(onchange).toHaveBeenCalledWith(true)
    expect(await violations()).toEqual([])
  })
})

describe('Dialog', () => {
  it('holds the focus, and Escape closes it', async () => {
    const onclose = vi.fn()
    render(Dialog, { open: true, title: 'Sure?', description: 'Think.', onclose, children: words('body') })
    const dialog = await screen.findByRole('dialog', { name: 'Sure?' })
    expect(dialog).toHaveAccessibleDescription('Think.')
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
    expect(await violations()).toEqual([])
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(onclose).toHaveBeenCalled()
  })
  it('that asks does it once, then closes', async () => {
    const onconfirm = vi.fn().mockResolvedValue(undefined)
    render(ConfirmDialog, {
      open: true,
      title: 'Delete?',
      description: 'Gone.',
      confirm: 'Delete',
      danger: true,
      onconfirm,
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(onconfirm).toHaveBeenCalledTimes(1)
  })
})

describe('Menu', () => {
  it('opens by keyboard and picks', async () => {
    const onpick = vi.fn()
    render(Menu, {
      label: 'More',
      items: [
        { label: 'One', onpick: vi.fn() },
        { label: 'Two', onpick },
      ],
    })
    screen.getByRole('button', { name: 'More' }).focus()
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByText('Two')).toBeInTheDocument()
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(onpick).toHaveBeenCalled())
  })
})

describe('Tabs', () => {
  it('show one panel and move by arrows', async () => {
    const panel = createRawSnippet<[string]>((id) => ({ render: () => `<p>panel ${id()}</p>` }))
    render(Tabs, {
      label: 'Views',
      value: 'a',
      panel,
      tabs: [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B', count: 2 },
      ],
    })
    expect(screen.getByText('panel a')).toBeVisible()
    await userEvent.click(screen.getByRole('tab', { name: 'A' }))
    await userEvent.keyboard('{ArrowRight}')
    expect(await screen.findByText('panel b')).toBeVisible()
    expect(screen.queryByText('panel a')).toBeNull()
    expect(await violations()).toEqual([])
  })
})

describe('Combobox', () => {
  const choices = ['main', 'feature/checkout', 'fix/rounding'].map((value) => ({ value, label: value }))
  it('finds by typing and picks by Enter', async () => {
    const onpick = vi.fn()
    render(Combobox, { label: 'Branch', choices, value: 'main', onpick })
    const input = screen.getByRole('combobox', { name: 'Branch' })
    expect(input).toHaveValue('main')
    await userEvent.click(input)
    await userEvent.keyboard('round')
    await waitFor(() => expect(screen.getAllByRole('option', { hidden: true })).toHaveLength(1))
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(onpick).toHaveBeenCalledWith('fix/rounding'))
  })
  it('keeps its value when left without a choice, or when it is picked again', async () => {
    const onpick = vi.fn()
    render(Combobox, { label: 'Branch', choices, value: 'main', onpick })
    const input = screen.getByRole('combobox', { name: 'Branch' })
    await userEvent.click(input)
    await userEvent.keyboard('che{Escape}')
    await waitFor(() => expect(input).toHaveValue('main'))
    expect(onpick).not.toHaveBeenCalled()
    await userEvent.click(input)
    await userEvent.keyboard('main{Enter}')
    await waitFor(() => expect(input).toHaveValue('main'))
  })
  it('says when nothing matches', async () => {
    render(Combobox, { label: 'Branch', choices, value: null, onpick: vi.fn() })
    await userEvent.click(screen.getByRole('combobox'))
    await userEvent.keyboard('zzz')
    expect(await screen.findByText('Nothing matches.')).toBeInTheDocument()
  })
})

describe('Combobox that takes any value', () => {
  const choices = [
    { value: 'gpt-5.2', label: 'gpt-5.2', note: '$1' },
    { value: 'gpt-5', label: 'gpt-5', note: '$2' },
  ]
  const start = (value = '') => {
    const onpick = vi.fn()
    render(Combobox, { label: 'Model', free: true, choices, value, onpick })
    return { onpick, input: screen.getByRole('combobox', { name: 'Model' }) }
  }
  it('shows a value that is none of the choices', () => {
    expect(start('mine').input).toHaveValue('mine')
  })
  it('takes what was typed by Enter, a choice of that very name before others', async () => {
    const { onpick, input } = start()
    await userEvent.click(input)
    await userEvent.keyboard('gpt-5')
    await waitFor(() =>
      expect(screen.getAllByRole('option', { hidden: true })[0]).toHaveTextContent('gpt-5 $2'),
    )
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(onpick.mock.calls).toEqual([['gpt-5']]))
  })
  it('takes a choice by the arrows', async () => {
    const { onpick, input } = start()
    await userEvent.click(input)
    await userEvent.keyboard('5.')
    await waitFor(() => expect(screen.getAllByRole('option', { hidden: true })).toHaveLength(2))
    for (let i = 0; i < 3 && !document.querySelector('[data-highlighted][data-value="gpt-5.2"]'); i++)
      await userEvent.keyboard('{ArrowDown}')
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(onpick.mock.calls).toEqual([['gpt-5.2']]))
  })
  it('takes what was typed when it is left, and nothing after Escape', async () => {
    const { onpick, input } = start('gpt-5')
    await userEvent.click(input)
    await userEvent.keyboard('other{Escape}')
    await waitFor(() => expect(input).toHaveValue('gpt-5'))
    expect(onpick).not.toHaveBeenCalled()
    await userEvent.click(input)
    await userEvent.keyboard('mine')
    await userEvent.tab()
    await waitFor(() => expect(onpick.mock.calls).toEqual([['mine']]))
  })
})

describe('TwoPane', () => {
  it('moves its handle by keyboard and remembers it', async () => {
    const props = { name: 't', label: 'Width', first: words('left'), second: words('right') }
    const { unmount } = render(TwoPane, props)
    const handle = screen.getByRole('separator', { name: 'Width' })
    await fireEvent.keyDown(handle, { key: 'ArrowRight' })
    expect(handle).toHaveAttribute('aria-valuenow', '39')
    unmount()
    render(TwoPane, props)
    expect(screen.getByRole('separator')).toHaveAttribute('aria-valuenow', '39')
  })
})

describe('Notices', () => {
  it('are read out, offer undo, and problems stay', async () => {
    const { Notices } = await import('.')
    const { BridgeProblem } = await import('../bridge')
    const app = await testApp()
    renderIn(app, Notices)
    const undo = vi.fn()
    app.notices.say('Item deleted', undo)
    const words = await screen.findByText('Item deleted')
    expect(words.closest('[aria-live]')).toHaveAttribute('aria-live', 'polite')
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(undo).toHaveBeenCalled()
    expect(screen.queryByText('Item deleted')).toBeNull()
    app.notices.tell(new BridgeProblem({ code: 'x', message: 'it broke', hint: 'Mend it.' }))
    const bad = await screen.findByText('it broke')
    expect(bad.closest('[aria-live]')).toHaveAttribute('aria-live', 'assertive')
    expect(await violations()).toEqual([])
  })
})
