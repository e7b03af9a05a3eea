import { screen, waitFor } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import FirstRun from './FirstRun.svelte'

async function start(options: Record<string, string> = {}) {
  const app = await testApp({ first: '', ...options })
  const end = app.start()
  await waitFor(() => expect(app.route.firstRun).toBe(true))
  renderIn(app, FirstRun)
  return { app, end }
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('the first run', () => {
  it('finds, shows, memorizes and writes, and writes nothing before it was shown', async () => {
    const { app, end } = await start()
    const memorize = vi.spyOn(app.bridge, 'memorize')
    const inject = vi.spyOn(app.bridge, 'inject')
    expect(await screen.findByText('3 projects, 64 sessions')).toBeVisible()
    expect(screen.queryByText('not found')).toBeNull()
    expect(await violations()).toEqual([])

    await press('Continue')
    expect(screen.getAllByRole('radio')).toHaveLength(3)
    await userEvent.click(screen.getByRole('radio', { name: /corner-shop/ }))
    expect(await violations()).toEqual([])

    await press('Continue')
    expect(await screen.findByRole('heading', { name: /Who finds what is worth remembering/ })).toBeVisible()
    expect(await screen.findByRole('radio', { name: /None: offline/ })).toBeChecked()
    expect(memorize).not.toHaveBeenCalled()
    expect(await violations()).toEqual([])

    await press('Continue')
    expect(await screen.findByText(/items would be remembered, on/)).toBeVisible()
    expect(memorize.mock.lastCall?.[1]).toMatchObject({
      preview: true,
      extractors: ['dev.recollect.offline'],
    })
    expect((await app.bridge.memory(app.root, 'main')).items).toHaveLength(0)
    expect(screen.getAllByText(/Write feature flags/).length).toBeGreaterThan(0)
    expect(await violations()).toEqual([])

    await press('Memorize this project')
    expect(await screen.findByText('Give it to your assistant')).toBeVisible()
    expect((await app.bridge.memory(app.root, 'main')).items.length).toBeGreaterThan(0)
    expect(inject).not.toHaveBeenCalled()
    await press('Write it')
    expect(inject).toHaveBeenCalledTimes(1)
    await press('Open the memory')
    await waitFor(() => expect(app.route.firstRun).toBe(false))
    expect(app.route.screen).toBe('memory')
    expect((await app.bridge.firstRun()).needed).toBe(false)
    end()
  })

  it('stores nothing that was unticked in the preview', async () => {
    const { app, end } = await start()
    await press('Continue')
    await userEvent.click(screen.getByRole('radio', { name: /corner-shop/ }))
    await press('Continue')
    await press('Continue')
    const [tick] = await screen.findAllByRole('checkbox', { name: /Write feature flags/ })
    expect(tick?.closest('li')?.querySelector('code')).toHaveTextContent('flags.ts')
    const label = tick?.closest('label')?.textContent ?? ''
    await userEvent.click(tick as HTMLElement)
    expect(screen.getByText(/Without the 1 item that you unticked/)).toBeVisible()
    await press('Memorize this project')
    expect(await screen.findByText('Give it to your assistant')).toBeVisible()
    const all = await Promise.all(
      (await app.bridge.branches(app.root)).map((b) => app.bridge.memory(app.root, b.name)),
    )
    const kept = all.map((m) => m.items.filter((i) => i.content.replaceAll('`', '') === label.trim()).length)
    const offered = all.filter((m) => m.items.length > 0).length
    expect(offered).toBeGreaterThan(0)
    expect(kept[0]).toBe(0)
    end()
  })

  it('has the model memorize that was chosen, after a look that costs nothing', async () => {
    const { app, end } = await start()
    const memorize = vi.spyOn(app.bridge, 'memorize')
    await press('Continue')
    await userEvent.click(screen.getByRole('radio', { name: /corner-shop/ }))
    await press('Continue')
    await userEvent.click(await screen.findByRole('radio', { name: /Claude subscription/ }))
    await waitFor(() => expect(screen.getByRole('radio', { name: /Claude subscription/ })).toBeChecked())
    expect(memorize).not.toHaveBeenCalled()
    await press('Continue')
    expect(await screen.findByText(/only then something is sent/)).toBeVisible()
    expect(memorize.mock.lastCall?.[1]).toMatchObject({
      preview: true,
      extractors: ['dev.recollect.offline'],
    })
    await press('Memorize this project')
    expect(memorize.mock.lastCall?.[1]).toMatchObject({ extractors: [] })
    expect(await screen.findByText('Give it to your assistant')).toBeVisible()
    end()
  })

  it('offers a file that is not there yet', async () => {
    const { app, end } = await start()
    await press('Continue')
    await userEvent.click(await screen.findByRole('radio', { name: /weather-lamp/ }))
    await press('Continue')
    await press('Continue')
    await press('Memorize this project')
    expect(await screen.findByText('CLAUDE.md would be made.')).toBeVisible()
    await press('Write it')
    expect(await screen.findByText('Open the memory')).toBeVisible()
    expect(app.root).toBe('/home/sam/code/weather-lamp')
    end()
  })

  it('gives the assistant nothing of another branch than the one that is checked out', async () => {
    const { app, end } = await start()
    const inject = vi.spyOn(app.bridge, 'inject')
    const preview = app.bridge.previewInjection
    const asked = vi.spyOn(app.bridge, 'previewInjection').mockImplementation(async (root, branch) => ({
      ...(await preview(root, branch)),
      branch: 'spike',
      head: { state: 'branch', branch: 'spike' },
      items: [],
      block: { kind: 'file', text: '', tokens: 0, shown: [], left: [] },
      targets: [{ path: `${root}/CLAUDE.md`, name: 'CLAUDE.md', outcome: 'nothing' }],
    }))
    await press('Continue')
    await userEvent.click(screen.getByRole('radio', { name: /corner-shop/ }))
    await press('Continue')
    await press('Continue')
    await press('Memorize this project')
    expect(
      await screen.findByText(/Nothing is remembered of spike yet \(spike is checked out\)/),
    ).toBeVisible()
    expect(asked).toHaveBeenCalledWith(app.root, '')
    expect(screen.queryByRole('button', { name: 'Write it' })).toBeNull()
    expect(inject).not.toHaveBeenCalled()
    end()
  })

  it('can be left at once', async () => {
    const { app, end } = await start()
    await press('Skip the introduction')
    await waitFor(() => expect(app.route.firstRun).toBe(false))
    end()
  })

  it('says when nothing was found', async () => {
    const { end } = await start({ empty: '' })
    expect(await screen.findByText(/No history was found/)).toBeVisible()
    await press('Continue')
    expect(screen.getByText('No project was found in the histories.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Continue' })).toBeDisabled()
    end()
  })

  it('can be cancelled while it reads, and says so', async () => {
    const { end } = await start()
    await press('Continue')
    await press('Continue')
    await press('Continue')
    await press('Cancel')
    expect(await screen.findByText('Reading was cancelled.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Read again' })).toBeVisible()
    end()
  })

  it('shows why reading failed', async () => {
    const { end } = await start({ fail: 'memorize' })
    await press('Continue')
    await press('Continue')
    await press('Continue')
    expect(await screen.findByRole('alert')).toHaveTextContent('memorize was told to fail')
    end()
  })
})
