import { screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { BranchReport } from '../../bridge'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import { text } from '../../text'
import Outcome from './Outcome.svelte'
import Projects from './Projects.svelte'
import { holds } from './search'

async function start(options: Record<string, string> = {}) {
  const app = await testApp(options)
  const end = app.start()
  renderIn(app, Projects)
  await screen.findByRole('heading', { name: 'Projects and branches' })
  return { app, end }
}
const branch = (name: string) => screen.getByRole('button', { name: `Memorize ${name}` })

describe('projects', () => {
  it('are searched by name and path, and picked', async () => {
    const { app, end } = await start()
    expect(screen.getAllByRole('option')).toHaveLength(4)
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search projects' }), 'lamp')
    expect(screen.getAllByRole('option')).toHaveLength(1)
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(app.project?.name).toBe('weather-lamp'))
    await userEvent.keyboard('zzz')
    expect(screen.getByText('No project matches')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }))
    expect(screen.getAllByRole('option')).toHaveLength(4)
    end()
  })

  it('tell what there is to do in each before anything else', async () => {
    const { end } = await start()
    const row = (name: RegExp) => screen.getByRole('option', { name })
    expect(row(/corner-shop/)).toHaveTextContent(/\d+ new turns.*\d+ items/)
    await waitFor(() => expect(row(/corner-shop/)).toHaveTextContent(/\d+ to review/))
    // Of one that is not shown the list itself says it.
    expect(row(/todo-garden/)).toHaveTextContent(/11 new turns.*17 items/)
    expect(row(/weather-lamp/)).toHaveTextContent(/28 new turns.*no items/)
    expect(row(/corner-shop/)).toHaveTextContent('/home/sam/code')
    end()
  })

  it('tell where their folder is gone, and can be added', async () => {
    const { app, end } = await start()
    expect(screen.getByText('folder is gone')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Add a folder…' }))
    await waitFor(() => expect(app.project?.name).toBe('bird-notes'))
    expect(await screen.findByText('No branch has a history yet')).toBeVisible()
    end()
  })

  it('teach what to do when there is none', async () => {
    const { end } = await start({ empty: '' })
    expect(screen.getByText('No project was found')).toBeVisible()
    expect(await violations()).toEqual([])
    end()
  })
})

describe('branches', () => {
  it('show activity, new turns, items and what would be injected', async () => {
    const { end } = await start()
    const row = branch('feature/checkout').closest('[role=listitem]') as HTMLElement
    expect(row).toHaveTextContent('24 new turns')
    expect(row).toHaveTextContent('9 items')
    expect(row).toHaveTextContent(/\d+ tokens to inject/)
    expect(row).toHaveTextContent('hours ago')
    expect(branch('fix/rounding')).toBeDisabled()
    expect(screen.getByText('checked out')).toBeVisible()
    // A name that would turn the text around is shown as it is.
    expect(screen.getByText('⟨U+202E⟩')).toBeVisible()
    expect(await violations()).toEqual([])
    end()
  })

  it('say where a memory can not be read, and why', async () => {
    const { end } = await start({ unreadable: '' })
    const row = screen.getByText('memory can’t be read').closest('[role=listitem]') as HTMLElement
    expect(row).toHaveTextContent('its memory was written by a newer version')
    expect(row).toHaveTextContent('Update Recollect.')
    expect(row).not.toHaveTextContent(/\d items|nothing remembered|to inject/)
    expect(await violations()).toEqual([])
    end()
  })

  it('are memorized one by one, with the outcome in words', async () => {
    const { end } = await start()
    await userEvent.click(branch('feature/checkout'))
    await screen.findByRole('button', { name: 'Cancel memorizing feature/checkout' })
    // The pressed button is gone: the focus stays in its row.
    expect(document.activeElement).toHaveAttribute('data-key', 'feature/checkout')
    const words = await screen.findByText('2 items added')
    const row = words.closest('[role=listitem]') as HTMLElement
    expect(row).toHaveTextContent('up to date')
    expect(within(row).getByText(/1 finding was not let in/)).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Hide the outcome of the last run' }))
    expect(screen.queryByText('2 items added')).toBeNull()
    end()
  })

  it('are memorized several at once, those selected or all that are new', async () => {
    const { app, end } = await start()
    const memorize = vi.spyOn(app.bridge, 'memorize')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select main' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select fix/rounding' }))
    await userEvent.click(screen.getByRole('button', { name: 'Memorize 2 branches' }))
    expect(memorize).toHaveBeenCalledWith(app.root, { branches: ['main', 'fix/rounding'] })
    await waitFor(() => expect(app.jobs.running).toHaveLength(0))
    await userEvent.click(await screen.findByRole('button', { name: 'Memorize what is new' }))
    expect(memorize.mock.lastCall?.[1].branches).toContain('spike/offline-basket')
    expect(memorize.mock.lastCall?.[1].branches).not.toContain('fix/rounding')
    end()
  })

  it('are driven by keyboard', async () => {
    const { app, end } = await start()
    const memorize = vi.spyOn(app.bridge, 'memorize')
    const rows = screen.getAllByRole('listitem')
    rows[0]?.focus()
    await userEvent.keyboard('{ArrowDown} ')
    expect(screen.getByRole('checkbox', { name: 'Select feature/checkout' })).toBeChecked()
    await userEvent.keyboard('m')
    expect(memorize).toHaveBeenCalledWith(app.root, { branches: ['feature/checkout'] })
    await userEvent.keyboard('{Enter}')
    expect([app.route.screen, app.branch]).toEqual(['memory', 'feature/checkout'])
    end()
  })

  it('say why they can not be listed', async () => {
    const { end } = await start({ fail: 'branches' })
    expect(screen.getByRole('alert')).toHaveTextContent('branches was told to fail')
    end()
  })
})

describe('Outcome', () => {
  const report: BranchReport = {
    branch: 'main',
    outcome: 'unchanged',
    new_turns: 0,
    items: 3,
    found: 0,
    redacted: 0,
    duration_ns: 1,
  }
  const cases: [Partial<BranchReport>, string][] = [
    [{}, 'nothing new: the memory stays as it is'],
    [{ outcome: 'empty' }, 'read, but nothing worth keeping was found'],
    [{ outcome: 'skipped', reason: 'too little' }, 'skipped: too little'],
    [{ outcome: 'failed', problem: { code: 'x', message: 'the disk is full' } }, 'the disk is full'],
    [{ outcome: 'proposed', found: 2 }, '2 proposals wait for your review'],
    [
      { outcome: 'empty', found: 1, suggestions: 1 },
      'read, but nothing was sure enough to keep; 1 suggestion waits under Review',
    ],
  ]
  it.each(cases)('%j reads "%s"', async (part, words) => {
    renderIn(await testApp(), Outcome, { report: { ...report, ...part } })
    expect(screen.getByText(words)).toBeInTheDocument()
  })
})

describe('an outcome without a plug-in', () => {
  it('says which one is not installed, and what to do', async () => {
    const absent = {
      plugin: 'org.example.gone',
      role: 'extractor',
      install: 'recollect plugin add PACKAGE',
      drop: 'recollect config set extractors --unset --user',
    }
    const report = {
      branch: 'main',
      outcome: 'empty',
      new_turns: 1,
      items: 0,
      found: 0,
      redacted: 0,
      duration_ns: 1,
    }
    renderIn(await testApp(), Outcome, { report: { ...report, absent: [absent] } as BranchReport })
    expect(screen.getByText(text.plugins.absent(absent))).toBeInTheDocument()
    expect(screen.getByText(text.plugins.absentCure(absent))).toHaveTextContent(
      'config set extractors --unset --user',
    )
  })
})

describe('holds', () => {
  it('wants every word, in any of the texts', () => {
    expect(holds('shop sam', 'corner-shop', '/home/sam')).toBe(true)
    expect(holds('shop bob', 'corner-shop', '/home/sam')).toBe(false)
    expect(holds('  ', 'x')).toBe(true)
  })
})
