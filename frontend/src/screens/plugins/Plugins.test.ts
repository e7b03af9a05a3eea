import { screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Bridge, BridgeProblem, type Plugin } from '../../bridge'
import Notices from '../../components/Notices.svelte'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import { text } from '../../text'
import Plugins from './Plugins.svelte'
import { stateOf } from './state'

const t = text.plugins

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(900)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200)
})

async function start(over: Partial<Bridge> = {}) {
  const app = await testApp({}, over)
  const off = app.jobs.start()
  renderIn(app, Notices)
  const { unmount } = renderIn(app, Plugins)
  await screen.findByRole('listbox', { name: t.list })
  const user = userEvent.setup()
  const choose = async (name: string) => {
    await user.click(screen.getByRole('option', { name: new RegExp(name) }))
    await screen.findByRole('heading', { name, level: 2 })
  }
  return { app, user, choose, off, unmount }
}

// startAt also goes to the plug-in that a person added.
async function startAt(over: Partial<Bridge> = {}) {
  const started = await start(over)
  await started.choose('Kitchen sink')
  return started
}

function picked(): HTMLElement {
  return within(screen.getByRole('listbox')).getByRole('option', { selected: true })
}

function card(name: string): HTMLElement {
  return screen.getByRole('region', { name })
}

describe('the list', () => {
  it('shows how each plug-in stands in words, and first those in use', async () => {
    await start()
    expect(screen.getByRole('option', { name: /Offline/ })).toHaveTextContent(t.usedAs(['extractor']))
    expect(screen.getByRole('option', { name: /Todo finder/ })).toHaveTextContent(t.states.waits)
    expect(picked()).toHaveTextContent('Used here as')
    expect(screen.getByRole('option', { name: /Kitchen sink/ })).toHaveTextContent(t.states.paused)
    const used = screen.getAllByRole('option').map((o) => o.textContent?.includes('Used here as'))
    expect(used.lastIndexOf(true)).toBeLessThan(used.indexOf(false))
    expect(await violations()).toEqual([])
  })

  it('names each state of a plug-in', () => {
    const p = { built_in: false, approved: true, disabled: false, powers: [] } as unknown as Plugin
    const pending = { version: '2', sha256: '', powers: [] }
    expect(stateOf(p)).toBe('enabled')
    expect(stateOf({ ...p, pending })).toBe('update')
    expect(stateOf({ ...p, pending, approved: false })).toBe('waits')
    expect(stateOf({ ...p, paused: 'x' })).toBe('paused')
    expect(stateOf({ ...p, paused: 'x', disabled: true })).toBe('disabled')
  })

  it('teaches where plug-ins come from as long as there are only built-in ones', async () => {
    const { app } = await start()
    const { plugins } = await app.bridge.plugins(app.root)
    expect(screen.queryByText(t.onlyBuiltIn)).not.toBeInTheDocument()
    app.bridge.plugins = async () => ({
      plugins: plugins.filter((p) => p.built_in),
      problems: ['x.y is missing'],
      absent: [{ plugin: 'org.example.gone', role: 'policy', instead: 'x', install: 'i', drop: 'd' }],
    })
    renderIn(app, Plugins)
    expect(await screen.findByText(t.onlyBuiltIn)).toBeInTheDocument()
    expect(screen.getByText('x.y is missing')).toBeInTheDocument()
    expect(screen.getByText(/The policy org\.example\.gone is not installed/)).toBeInTheDocument()
  })

  it('says what went wrong and tries again', async () => {
    const app = await testApp()
    const real = app.bridge.plugins
    app.bridge.plugins = () => Promise.reject(new BridgeProblem({ code: 'failed', message: 'no library' }))
    renderIn(app, Plugins)
    expect(await screen.findByRole('alert')).toHaveTextContent(/no library/i)
    app.bridge.plugins = real
    await userEvent.click(screen.getByRole('button', { name: text.general.retry }))
    expect(await screen.findByRole('listbox')).toBeInTheDocument()
  })
})

describe('a plug-in', () => {
  it('says what it may do, the grave with a word and not by colour alone', async () => {
    const { choose } = await start()
    await choose('Model notes')
    const powers = within(card(t.powers)).getAllByRole('listitem')
    expect(powers[0]).toHaveTextContent(t.graveIfUsed)
    expect(powers[0]).toHaveTextContent(t.reason)
    expect(powers[1]).toHaveTextContent(t.usual)
  })

  it('plays a role: an extractor joins, a policy takes the place of the other, and undo brings it back', async () => {
    const { app, user } = await startAt()
    const call = vi.spyOn(app.bridge, 'usePlugin')
    await user.click(screen.getByRole('switch', { name: 'Extractor' }))
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Extractor' })).toBeChecked())
    expect(screen.getByRole('option', { name: /Offline/ })).toHaveTextContent(t.usedAs(['extractor']))
    await user.click(screen.getByRole('switch', { name: 'Policy' }))
    await waitFor(() =>
      expect(screen.getByRole('option', { name: /Ranked/ })).not.toHaveTextContent(t.usedAs(['policy'])),
    )
    expect(screen.getByRole('switch', { name: 'Policy' })).toBeDisabled()
    const notice = (await screen.findByText(t.didUse('Kitchen sink', 'policy'))).closest('.notice')
    await user.click(within(notice as HTMLElement).getByRole('button', { name: text.general.undo }))
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Policy' })).not.toBeChecked())
    expect(call).toHaveBeenLastCalledWith(app.root, 'dev.recollect.ranked', 'policy', true)
  })

  it('stays the only extractor', async () => {
    const { choose } = await start()
    await choose('Offline')
    expect(screen.getByRole('switch', { name: 'Extractor' })).toBeDisabled()
    expect(screen.getByText(new RegExp(t.useLast))).toBeInTheDocument()
  })

  it('shows a refused switch as it is', async () => {
    const { user } = await startAt({
      enablePlugin: () =>
        Promise.reject(new BridgeProblem({ code: 'busy', message: 'somebody else is at it' })),
    })
    const enabled = screen.getByRole('switch', { name: t.enable })
    await user.click(enabled)
    expect(await screen.findByText('somebody else is at it', { exact: false })).toBeInTheDocument()
    expect(enabled).toBeChecked()
  })

  it('is resumed, and removed only after a question', async () => {
    const { app, user } = await startAt()
    await user.click(screen.getByRole('button', { name: t.resume }))
    await waitFor(() => expect(screen.queryByText(t.pausedText)).not.toBeInTheDocument())
    const remove = vi.spyOn(app.bridge, 'removePlugin')
    await user.click(screen.getByRole('button', { name: t.remove }))
    const dialog = await screen.findByRole('dialog', { name: t.removeTitle('Kitchen sink') })
    expect(remove).not.toHaveBeenCalled()
    await user.click(within(dialog).getByRole('button', { name: t.removeDo }))
    await waitFor(() => expect(screen.queryByRole('option', { name: /Kitchen/ })).not.toBeInTheDocument())
  })

  it('names whose settings use it before it is removed', async () => {
    const { app, user } = await startAt()
    app.bridge.pluginUses = async () => [
      { file: '/home/sam/.config/recollect/config.json', roles: ['extractor'] },
      {
        root: '/home/sam/code/bakery',
        file: '/home/sam/code/bakery/.recollect/config.json',
        roles: ['schema'],
      },
    ]
    await user.click(screen.getByRole('button', { name: t.remove }))
    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByText(/Your own settings, for all projects: as extractor/)).toBeVisible()
    expect(within(dialog).getByText(/bakery: as schema/)).toBeVisible()
    expect(await violations()).toEqual([])
  })

  it('can not be removed if it is built in', async () => {
    const { choose } = await start()
    await choose('Notes')
    expect(screen.queryByRole('button', { name: t.remove })).not.toBeInTheDocument()
  })

  it('is text only, whatever is in it', async () => {
    const { choose } = await start()
    await choose('Todo finder')
    expect(screen.getAllByText(/<img src=x/).length).toBeGreaterThan(0)
    expect(document.querySelector('img')).toBeNull()
    expect(document.body.textContent).not.toMatch(/[\u202e\u200b]/)
    expect(document.querySelector('a[href*=invalid]')).toBeNull()
  })

  it('filters its log', async () => {
    const { user } = await startAt()
    const log = await screen.findByRole('list', { name: t.log })
    expect(within(log).getAllByRole('listitem')).toHaveLength(6)
    await user.selectOptions(screen.getByRole('combobox', { name: t.logLevel }), 'warn')
    await waitFor(() => expect(within(card(t.log)).getAllByRole('listitem')).toHaveLength(2))
  })
})

describe('its settings', () => {
  it('are saved for the project, without defaults, and undone', async () => {
    const { app, user } = await startAt()
    const call = vi.spyOn(app.bridge, 'configurePlugin')
    const form = card(t.settings)
    expect(within(form).getByRole('button', { name: t.form.save })).toBeDisabled()
    await user.type(within(form).getByRole('textbox', { name: 'Days' }), '7')
    await user.click(within(form).getByRole('button', { name: t.form.save }))
    expect(await screen.findByText(t.didConfigure('Kitchen sink'))).toBeInTheDocument()
    expect(call).toHaveBeenCalledWith(app.root, 'example.kitchen-sink', {
      mode: 'careful',
      tags: [],
      window: { days: 7, weekends: true },
    })
    await user.click(screen.getByRole('button', { name: text.general.undo }))
    await waitFor(() => expect(within(form).getByRole('textbox', { name: 'Days' })).toHaveValue(''))
  })

  it('say at the field what is wrong, also what only the program knows', async () => {
    const { user } = await startAt()
    const form = card(t.settings)
    const prefix = within(form).getByRole('textbox', { name: 'Prefix' })
    const days = within(form).getByRole('textbox', { name: 'Days' })
    await user.type(days, '400')
    await user.type(prefix, 'ABC{Enter}')
    await waitFor(() => expect(days).toHaveAccessibleDescription(expect.stringContaining(t.form.most(365))))
    await waitFor(() => expect(days).toHaveFocus())
    expect(prefix).toBeValid()
    await user.clear(days)
    await user.click(within(form).getByRole('button', { name: t.form.save }))
    await waitFor(() => expect(prefix).toHaveAccessibleDescription(expect.stringContaining(t.form.pattern)))
    expect(prefix).toBeInvalid()
    expect(await violations()).toEqual([])
  })
})

describe('approval', () => {
  it('says what is more than before, approves the very package that is shown, and announces it', async () => {
    const { app, user } = await startAt()
    const call = vi.spyOn(app.bridge, 'approvePlugin')
    await user.click(screen.getByRole('button', { name: t.approve }))
    const dialog = await screen.findByRole('dialog', { name: t.approveTitle('Kitchen sink') })
    expect(within(dialog).getByText('128 MB of memory instead of 64')).toBeInTheDocument()
    expect(dialog).not.toHaveTextContent('llm:call')
    expect(dialog).toHaveTextContent(/60303ae2 2b998861/)
    expect(await violations()).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: t.approveDo }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(call).toHaveBeenCalledWith(
      app.root,
      'example.kitchen-sink',
      '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
    )
    expect(await screen.findByText(t.didApprove('Kitchen sink'))).toBeInTheDocument()
    expect(await screen.findByText(t.version('2.0.0'))).toBeInTheDocument()
  })

  it('says why a package is not approved, and asks again', async () => {
    const { app, user } = await startAt()
    const real = app.bridge.approvePlugin
    app.bridge.approvePlugin = async (...args) => {
      const id = await real(...args)
      const finished = app.jobs.finished.bind(app.jobs)
      vi.spyOn(app.jobs, 'finished').mockImplementationOnce(async (n) => ({
        ...(await finished(n)),
        state: 'failed',
        problem: { code: 'plugin', message: 'it does not export rc_extract' },
      }))
      return id
    }
    await user.click(screen.getByRole('button', { name: t.approve }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: t.approveDo }))
    expect(await screen.findByText(/it does not export rc_extract/i)).toBeInTheDocument()
    expect(within(screen.getByRole('dialog')).getByRole('button', { name: t.approveDo })).toBeEnabled()
  })

  it('follows adding a package, which is off until then', async () => {
    const { user } = await start()
    await user.click(screen.getByRole('button', { name: t.add }))
    const dialog = await screen.findByRole('dialog', { name: t.approveTitle('Notes to self') })
    expect(within(dialog).getByText(t.approveNew)).toBeInTheDocument()
    await user.keyboard('{Escape}')
    expect(await screen.findByRole('option', { name: /Notes to self/, selected: true })).toHaveTextContent(
      t.states.waits,
    )
    expect(screen.getByRole('switch', { name: 'Extractor' })).toBeDisabled()
  })
})
