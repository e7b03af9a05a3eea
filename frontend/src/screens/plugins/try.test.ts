import { screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bridge, Memory, Tried } from '../../bridge'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import { text } from '../../text'
import { bands } from './align'
import Plugins from './Plugins.svelte'

const t = text.plugins.try
let width = 1200

beforeEach(() => {
  width = 1200
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(900)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => width)
})

async function start(over: Partial<Bridge> = {}, options: Record<string, string> = {}) {
  const app = await testApp(options, over)
  app.jobs.start()
  const { unmount } = renderIn(app, Plugins)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('tab', { name: text.plugins.tryIt }))
  const run = async () => user.click(await screen.findByRole('button', { name: t.run }))
  return { app, user, run, unmount }
}

describe('bands', () => {
  const memory = { sections: [{ id: 'b', heading: 'B' }], items: [{ id: '1', section: 'b' }] } as Memory
  it('lines up the memory’s sections first, then those that only a trial names', () => {
    const tried = { items: [{ section: 'facts' }, { section: 'b' }] } as Tried
    expect(
      bands(memory, [tried, undefined]).map((b) => [b.id, b.heading, b.today.length, b.found[0]?.length]),
    ).toEqual([
      ['b', 'B', 1, 1],
      ['facts', 'Facts', 0, 1],
    ])
  })
  it('leaves out sections in which nothing is', () => {
    expect(bands({ ...memory, items: [] }, [undefined])).toEqual([])
  })
})

describe('Try it', () => {
  it('sets two extractors beside today’s memory, and saves nothing', async () => {
    const { app, user, run } = await start()
    const before = await app.bridge.memory(app.root, app.branch ?? '')
    expect(screen.getByText(t.intro, { exact: false })).toBeInTheDocument()
    await user.selectOptions(screen.getByRole('combobox', { name: t.second }), 'dev.recollect.model-notes')
    expect(screen.getByText(t.model, { exact: false })).toBeInTheDocument()
    await run()
    expect(await screen.findByText(t.saved)).toBeInTheDocument()
    await screen.findByText('14,300')
    for (const name of [t.today, t.column('A', 'Offline'), t.column('B', 'Model notes')]) {
      expect(screen.getByRole('heading', { name })).toBeInTheDocument()
    }
    const b = screen.getByRole('group', { name: `Facts, ${t.column('B', 'Model notes')}` })
    expect(within(b).getAllByText(t.known).length).toBeGreaterThan(0)
    expect(within(b).getAllByText(t.fresh).length).toBeGreaterThan(0)
    expect(screen.getByText(/14,300/)).toBeInTheDocument()
    expect(screen.getByText(t.unread(12))).toBeInTheDocument()
    expect(await violations()).toEqual([])
    expect(await app.bridge.memory(app.root, app.branch ?? '')).toEqual(before)
    expect(app.jobs.list).toEqual([])
  })

  it('shows one column at a time where there is no room', async () => {
    width = 500
    const { user, run } = await start()
    await run()
    const today = await screen.findByRole('tab', { name: new RegExp(t.today) })
    await screen.findByText(t.saved)
    expect(screen.getAllByText(t.fresh).length).toBeGreaterThan(0)
    await user.click(today)
    await waitFor(() => expect(screen.queryByText(t.fresh)).not.toBeInTheDocument())
    expect(await violations()).toEqual([])
  })

  it('is cancelled, by keyboard too', async () => {
    let release = () => {}
    const held = new Promise<void>((r) => {
      release = r
    })
    const { app, user, run } = await start()
    const cancel = vi.spyOn(app.bridge, 'cancelJob')
    const real = app.bridge.try
    app.bridge.try = async (...args) => {
      await held
      return real(...args)
    }
    const finished = app.jobs.finished.bind(app.jobs)
    vi.spyOn(app.jobs, 'finished').mockImplementation(async (id) => {
      await waitFor(() => expect(cancel).toHaveBeenCalledWith(id))
      return { ...(await finished(id)), state: 'cancelled', tried: undefined }
    })
    await run()
    release()
    const stop = await screen.findByRole('button', { name: t.cancel })
    stop.focus()
    await user.keyboard('{Enter}')
    expect(await screen.findByText(t.cancelled)).toBeInTheDocument()
    expect(screen.queryByText(t.saved)).not.toBeInTheDocument()
  })

  it('stops when the screen is left', async () => {
    const { app, run, unmount } = await start()
    const cancel = vi.spyOn(app.bridge, 'cancelJob')
    vi.spyOn(app.jobs, 'finished').mockReturnValue(new Promise(() => {}))
    await run()
    await screen.findByRole('button', { name: t.cancel })
    unmount()
    await waitFor(() => expect(cancel).toHaveBeenCalledTimes(1))
  })

  it('says why it failed', async () => {
    const { run } = await start({}, { fail: 'try' })
    await run()
    expect(await screen.findByText(/the call try was told to fail/i)).toBeInTheDocument()
  })
})
