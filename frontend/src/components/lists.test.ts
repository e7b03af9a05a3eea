import { render, screen, waitFor } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { type Component, createRawSnippet } from 'svelte'
import { describe, expect, it, vi } from 'vitest'
import { renderIn, testApp } from '../test/app'
import { violations } from '../test/axe'
import { Chart, Diff, VirtualList } from '.'

const List = VirtualList as unknown as Component<Record<string, unknown>>

type Row = { id: string; words: string }
const rows: Row[] = Array.from({ length: 10_000 }, (_, i) => ({ id: `r${i}`, words: `row ${i}` }))
const row = createRawSnippet<[Row]>((item) => ({ render: () => `<span>${item().words}</span>` }))
const props = { label: 'Rows', items: rows, key: (r: Row) => r.id, row }

describe('VirtualList', () => {
  it('keeps few rows in the page and says how many there are', async () => {
    render(List, { ...props })
    const shown = screen.getAllByRole('listitem')
    expect(shown.length).toBeLessThan(60)
    expect(shown[0]).toHaveAttribute('aria-setsize', '10000')
    expect(shown[0]).toHaveAttribute('aria-posinset', '1')
    expect(await violations()).toEqual([])
  })

  it('is walked by keyboard, with one row in the order of Tab', async () => {
    const onpick = vi.fn()
    render(List, { ...props, kind: 'listbox', selected: 'r2', onpick })
    await userEvent.tab()
    expect(document.activeElement).toHaveTextContent('row 0')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement).toHaveTextContent('row 2')
    expect(document.activeElement).toHaveAttribute('aria-selected', 'true')
    expect(document.querySelectorAll('[role=option][tabindex="0"]')).toHaveLength(1)
    await userEvent.keyboard('{End}')
    expect(document.activeElement).toHaveTextContent('row 9999')
    await userEvent.keyboard('{Enter}')
    expect(onpick).toHaveBeenCalledWith(rows[9999], 9999)
    await userEvent.keyboard('{Home}')
    expect(document.activeElement).toHaveTextContent('row 0')
  })

  it('asks its owner before it takes a key', async () => {
    const onkeydown = vi.fn((e: KeyboardEvent) => e.key === 'ArrowDown' && e.preventDefault())
    render(List, { ...props, onkeydown })
    await userEvent.tab()
    await userEvent.keyboard('{ArrowDown}')
    expect(onkeydown).toHaveBeenCalledWith(expect.anything(), rows[0], 0)
    expect(document.activeElement).toHaveTextContent('row 0')
  })

  it('does not pick a row when a button in it is clicked', async () => {
    const onpick = vi.fn()
    const withButton = createRawSnippet<[Row]>((item) => ({
      render: () => `<button>do ${item().id}</button>`,
    }))
    render(List, { ...props, items: rows.slice(0, 2), row: withButton, onpick })
    await userEvent.click(screen.getByRole('button', { name: 'do r1' }))
    expect(onpick).not.toHaveBeenCalled()
  })

  it('keeps its active row within a list that got shorter', async () => {
    const { rerender } = render(List, { ...props, active: 500 })
    await rerender({ items: rows.slice(0, 3) })
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(3))
    expect(document.querySelector('[tabindex="0"]')).toHaveTextContent('row 2')
    await rerender({ items: [] })
    expect(screen.queryAllByRole('listitem')).toHaveLength(0)
  })
})

describe('Chart', () => {
  it('has its numbers as a table too', async () => {
    const app = await testApp()
    renderIn(app, Chart, {
      label: 'Items over time',
      x: ['a', 'b'],
      xLabel: 'Part',
      series: [{ label: 'Facts', values: [3, null] }],
    })
    const table = screen.getByRole('table', { name: 'Items over time' })
    expect(table).toHaveTextContent('Facts')
    await userEvent.click(screen.getByRole('button', { name: 'Show as a table' }))
    expect(screen.getByRole('region', { name: 'Items over time' })).toContainElement(table)
    expect(screen.getByRole('cell', { name: '3' })).toBeVisible()
    expect(await violations()).toEqual([])
  })
})

describe('Diff', () => {
  it('shows both texts, named, and caps large ones', async () => {
    const props = {
      label: 'Changes',
      before: 'one\ntwo',
      after: 'one\nthree',
      beforeLabel: 'Then',
      afterLabel: 'Now',
    }
    const { container, rerender } = render(Diff, props)
    const host = container.querySelector('.host') as HTMLElement
    await waitFor(() => expect(host.shadowRoot?.querySelectorAll('[role=textbox]')).toHaveLength(2), {
      timeout: 15_000,
    })
    const sides = [...(host.shadowRoot?.querySelectorAll('[role=textbox]') ?? [])]
    expect(sides.map((s) => s.getAttribute('aria-label'))).toEqual(['Then', 'Now'])
    expect(sides[1]?.textContent).toContain('three')
    expect(screen.queryByText(/are large/)).toBeNull()
    await rerender({ ...props, after: 'x'.repeat(400_001) })
    expect(await screen.findByText(/only their first 400 kB/)).toBeVisible()
  })
})
