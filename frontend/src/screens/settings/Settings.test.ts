import { screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Bridge, BridgeProblem } from '../../bridge'
import Notices from '../../components/Notices.svelte'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import { text } from '../../text'
import Settings from './Settings.svelte'

const t = text.settings
const budget = t.fields['inject.budget']?.label ?? ''
const files = t.fields['inject.targets']?.label ?? ''
const review = t.fields['review.enabled']?.label ?? ''

async function start(over: Partial<Bridge> = {}, options: Record<string, string> = {}) {
  const app = await testApp(options, over)
  const off = app.start()
  renderIn(app, Notices)
  const { unmount } = renderIn(app, Settings)
  await screen.findByRole('textbox', { name: budget })
  const user = userEvent.setup()
  const value = async (key: string, root = app.root) =>
    (await app.bridge.settings(root)).find((s) => s.key === key)
  return { app, user, value, off, unmount }
}

function row(control: HTMLElement): HTMLElement {
  return control.closest('.setting') as HTMLElement
}

describe('the model’s name', () => {
  it('is one of those whose price is known, or any other', async () => {
    const { app, user, value } = await start()
    await app.bridge.setSetting('', 'model.provider', 'anthropic', true)
    const field = await screen.findByRole('combobox', { name: t.fields['model.name']?.label })
    await waitFor(() => expect(field).toHaveAccessibleDescription(/claude-haiku-4-5 is asked/))
    await user.click(field)
    await user.click(await screen.findByText('$5.00 in, $25.00 out'))
    await waitFor(async () =>
      expect(await value('model.name')).toMatchObject({ value: 'claude-opus-4-7', from: 'user' }),
    )
    await waitFor(() => expect(field).toHaveAccessibleDescription(/\$5.00 for a million tokens read/))
    await user.click(field)
    await user.keyboard('claude-of-tomorrow')
    await user.tab()
    await waitFor(() => expect(field).toHaveAccessibleDescription(/does not know this model/))
    expect(await value('model.name')).toMatchObject({ value: 'claude-of-tomorrow' })
    expect(await violations()).toEqual([])
  })
})

describe('a setting', () => {
  it('says where its value comes from, and what the project has of its own', async () => {
    await start()
    expect(row(screen.getByRole('textbox', { name: budget }))).toHaveTextContent(t.from.user)
    const targets = row(screen.getByRole('textbox', { name: files }))
    expect(targets).toHaveTextContent(t.from.default)
    expect(targets).toHaveTextContent(t.fromProjectHere('CLAUDE.md, AGENTS.md'))
    expect(await violations()).toEqual([])
  })

  it('is saved at once for all projects, and undone', async () => {
    const { user, value } = await start()
    const field = screen.getByRole('textbox', { name: budget })
    await user.clear(field)
    await user.type(field, '1,200')
    await user.tab()
    expect(await screen.findByText(t.saved(budget, t.whereUser))).toBeInTheDocument()
    expect(await value('inject.budget')).toMatchObject({ value: 1200, from: 'user' })
    await user.click(screen.getByRole('button', { name: text.general.undo }))
    await waitFor(() => expect(field).toHaveValue('700'))
    expect(await value('inject.budget')).toMatchObject({ value: 700, from: 'user' })
  })

  it('is saved for this project alone, and reset to what holds for all', async () => {
    const { user, value } = await start()
    await user.click(screen.getByRole('radio', { name: /corner-shop/ }))
    const field = screen.getByRole('textbox', { name: budget })
    await user.clear(field)
    await user.type(field, '900{Enter}')
    await waitFor(() => expect(row(field)).toHaveTextContent(t.from.project))
    expect(await value('inject.budget')).toMatchObject({ value: 900, from: 'project' })
    expect(await value('inject.budget', '')).toMatchObject({ value: 700, from: 'user' })
    await user.click(screen.getByRole('button', { name: t.resetOf(budget) }))
    await waitFor(() => expect(field).toHaveValue('700'))
    await user.click(
      within(await noticeOf(t.wasReset(budget, t.whereProject))).getByRole('button', {
        name: text.general.undo,
      }),
    )
    await waitFor(() => expect(field).toHaveValue('900'))
  })

  it('says at the field what is wrong, and keeps what was typed', async () => {
    const { app, user } = await start()
    const call = vi.spyOn(app.bridge, 'setSetting')
    const field = screen.getByRole('textbox', { name: budget })
    await user.clear(field)
    await user.type(field, '9{Enter}')
    await waitFor(() =>
      expect(field).toHaveAccessibleDescription(expect.stringContaining(t.errors.least(50))),
    )
    expect(field).toBeInvalid()
    expect(field).toHaveValue('9')
    expect(call).not.toHaveBeenCalled()
    expect(await violations()).toEqual([])
    await user.type(field, '00')
    expect(field).toBeValid()
  })

  it('shows what the program refused as it is', async () => {
    const { user } = await start({
      setSetting: () => Promise.reject(new BridgeProblem({ code: 'busy', message: 'the file is locked' })),
    })
    const field = screen.getByRole('switch', { name: review })
    await user.click(field)
    await waitFor(() =>
      expect(field).toHaveAccessibleDescription(expect.stringMatching(/the file is locked/i)),
    )
    expect(field).not.toBeChecked()
    await user.click(screen.getByRole('radio', { name: t.providers.anthropic?.name }))
    await waitFor(() => expect(screen.getByRole('radio', { name: t.providers.none?.name })).toBeChecked())
  })

  it('keeps the last extractor', async () => {
    const { user, value } = await start()
    const group = screen.getByRole('group', { name: t.fields.extractors?.label })
    const offline = await within(group).findByRole('checkbox', { name: 'Offline' })
    await user.click(offline)
    expect(await within(group).findByText(t.errors.one)).toBeInTheDocument()
    expect(offline).toBeChecked()
    await user.click(within(group).getByRole('checkbox', { name: 'Model notes' }))
    await waitFor(async () =>
      expect((await value('extractors'))?.value).toEqual([
        'dev.recollect.offline',
        'dev.recollect.model-notes',
      ]),
    )
  })
})

async function noticeOf(words: string): Promise<HTMLElement> {
  return (await screen.findByText(words)).closest('.notice') as HTMLElement
}

describe('a limit', () => {
  const day = t.amountOf('US dollars', t.budgets.day)
  it('is taken away by a box, and comes back', async () => {
    const { user, value } = await start()
    const group = screen.getByRole('group', { name: day })
    const box = within(group).getByRole('checkbox')
    expect(within(group).getByRole('textbox')).toHaveValue('1.00')
    await user.click(box)
    await waitFor(async () => expect((await value('budget.day_dollars'))?.value).toBe(-1))
    expect(within(group).getByRole('textbox')).toBeDisabled()
    await user.click(box)
    await waitFor(async () => expect((await value('budget.day_dollars'))?.value).toBe(1))
  })

  it('is never below nothing', async () => {
    const { user } = await start()
    const field = within(screen.getByRole('group', { name: day })).getByRole('textbox')
    await user.clear(field)
    await user.type(field, '-1{Enter}')
    expect(await screen.findByText(t.errors.negative)).toBeInTheDocument()
  })
})

describe('the model', () => {
  async function openai() {
    const all = await start()
    await all.user.click(screen.getByRole('radio', { name: t.providers.openai?.name }))
    const key = await screen.findByLabelText(t.key.label(t.providers.openai?.name ?? ''))
    return { ...all, key }
  }

  it('explains each provider and asks for no key where none is needed', async () => {
    const { user } = await start()
    expect(screen.getByRole('radio', { name: t.providers.none?.name })).toHaveAccessibleDescription(
      t.providers.none?.text,
    )
    expect(screen.queryByRole('button', { name: t.test.do })).not.toBeInTheDocument()
    await user.click(screen.getByRole('radio', { name: t.providers['claude-cli']?.name }))
    expect(await screen.findByRole('button', { name: t.test.do })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: t.key.save })).not.toBeInTheDocument()
    expect(screen.queryByRole('textbox', { name: t.fields['model.base_url']?.label })).not.toBeInTheDocument()
  })

  it('stores a key, never shows it again, and deletes it only after a question', async () => {
    const { app, user, key } = await openai()
    const call = vi.spyOn(app.bridge, 'setKey')
    expect(key).toHaveAttribute('type', 'password')
    await user.click(screen.getByRole('button', { name: t.key.save }))
    expect(await screen.findByText(t.key.needed)).toBeInTheDocument()
    await user.type(key, ' sk-secret {Enter}')
    expect(await screen.findByText(t.key.place.keyring ?? '')).toBeInTheDocument()
    expect(call).toHaveBeenCalledWith('openai', 'sk-secret')
    expect(key).toHaveValue('')
    expect(document.body.innerHTML).not.toContain('sk-secret')
    expect(await violations()).toEqual([])
    await user.click(screen.getByRole('button', { name: t.key.remove }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: t.key.removeDo }))
    expect(await screen.findByText(t.key.none)).toBeInTheDocument()
  })

  it('is tested: what it took, or what is wrong', async () => {
    const { user, key } = await openai()
    await user.click(screen.getByRole('button', { name: t.test.do }))
    expect(await screen.findByText(/there is no key for openai/i)).toBeInTheDocument()
    await user.type(key, 'sk-secret{Enter}')
    await screen.findByText(t.key.place.keyring ?? '')
    await user.click(screen.getByRole('button', { name: t.test.do }))
    expect(await screen.findByText(new RegExp(t.test.figures(21, 4, 740e6)))).toBeInTheDocument()
  })

  it('fills in the address of a server on this machine', async () => {
    const { user, value } = await openai()
    await user.click(screen.getByRole('button', { name: 'Ollama' }))
    await waitFor(async () =>
      expect((await value('model.base_url'))?.value).toBe('http://127.0.0.1:11434/v1'),
    )
    expect(await screen.findByText(t.key.noneLocal)).toBeInTheDocument()
  })
})

describe('the app', () => {
  it('changes its theme at once, and back by undo', async () => {
    const { app, user } = await start()
    await user.click(screen.getByRole('radio', { name: t.themes.dark }))
    expect(app.theme.dark).toBe(true)
    await user.click(await screen.findByRole('button', { name: text.general.undo }))
    await waitFor(() => expect(app.theme.dark).toBe(false))
  })

  it('starts at login where that is possible, and says why where not', async () => {
    const { user, unmount } = await start()
    await user.click(await screen.findByRole('switch', { name: t.autostart.label }))
    expect(await screen.findByText(t.autostart.on)).toBeInTheDocument()
    unmount()
    await start({}, { noautostart: '' })
    const off = await screen.findByRole('switch', { name: t.autostart.label })
    expect(off).toBeDisabled()
    expect(off).toHaveAccessibleDescription(expect.stringContaining('no place for what starts at login'))
  })

  it('pauses the background service and resumes it', async () => {
    const { user } = await start()
    await user.click(await screen.findByRole('button', { name: t.service.pause }))
    await user.click(await screen.findByRole('button', { name: t.service.resume }))
    expect(await screen.findByText(t.service.running)).toBeInTheDocument()
  })

  it('opens its folders', async () => {
    const { app, user } = await start()
    const call = vi.spyOn(app.bridge, 'openFolder')
    await user.click(await screen.findByRole('button', { name: t.folders.openOf(t.folders.data) }))
    expect(call).toHaveBeenCalledWith('data', app.root)
    expect(screen.getByText(t.promise)).toBeInTheDocument()
  })
})

describe('without', () => {
  it('a project, all is for all projects', async () => {
    await start({}, { empty: '' })
    expect(screen.getByText(t.scopeNone)).toBeInTheDocument()
    expect(screen.queryByRole('radio', { name: t.scopeUser })).not.toBeInTheDocument()
    expect(await violations()).toEqual([])
  })

  it('readable settings, it says so and tries again', async () => {
    const app = await testApp()
    const real = app.bridge.settings
    app.bridge.settings = () =>
      Promise.reject(new BridgeProblem({ code: 'config', message: 'config.json is damaged' }))
    renderIn(app, Settings)
    expect(await screen.findByRole('alert')).toHaveTextContent(/config.json is damaged/i)
    app.bridge.settings = real
    await userEvent.click(screen.getByRole('button', { name: text.general.retry }))
    expect(await screen.findByRole('textbox', { name: budget })).toBeInTheDocument()
  })
})
