import { screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Bridge, BridgeProblem, type Setting } from '../../bridge'
import builtIn from '../../bridge/fake/builtin.json'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import { text } from '../../text'
import { others, shown } from './groups'
import Settings from './Settings.svelte'

const t = text.settings
const m = t.maintenance
const label = (key: string) => t.fields[key]?.label ?? ''

async function start(options: Record<string, string> = {}, over: Partial<Bridge> = {}) {
  const app = await testApp(options, over)
  app.start()
  renderIn(app, Settings)
  await screen.findByRole('switch', { name: label('maintenance.enabled') })
  const value = async (key: string, root = app.root) =>
    (await app.bridge.settings(root)).find((s) => s.key === key)
  return { app, user: userEvent.setup(), value }
}
const schedule = (kind: string) => within(screen.getByRole('group', { name: label(`maintenance.${kind}`) }))

// The program's tests see to it that the list is that of the program.
describe('every setting of the program', () => {
  const all = builtIn as unknown as Setting[]
  it.each(all.map((s) => s.key))('%s has a place and words of its own', (key) => {
    expect(others([{ key } as Setting])).toEqual([])
    expect(label(key)).not.toBe('')
    if (!/^(model\.provider|budget\..*|ui\.theme)$/.test(key)) expect(t.fields[key]?.hint).not.toBe('')
  })

  it('and no other has one', () => {
    const keys = all.map((s) => s.key)
    expect(Object.values(shown).flat().sort()).toEqual(keys.toSorted())
    expect(Object.keys(t.fields).sort()).toEqual(keys.toSorted())
  })

  it('is on the screen', async () => {
    const { user } = await start()
    await user.click(screen.getByRole('radio', { name: t.providers.openai?.name }))
    await waitFor(() => expect(document.querySelectorAll('.setting')).toHaveLength(all.length))
  })
})

describe('a setting that this window does not know', () => {
  it('is shown in the words of the program, and changed', async () => {
    const { user, value } = await start({ later: '' })
    const group = screen.getByRole('switch', { name: 'later.on' })
    expect(group).toHaveAccessibleDescription(expect.stringContaining('Whether something else is done.'))
    await user.click(group)
    await waitFor(async () => expect(await value('later.on')).toMatchObject({ value: true }))
    const much = screen.getByRole('textbox', { name: 'later.much' })
    await user.clear(much)
    await user.type(much, '10{Enter}')
    expect(await screen.findByText(t.errors.most(9))).toBeVisible()
    expect(screen.getByRole('heading', { name: t.groups.other })).toBeVisible()
    expect(await violations()).toEqual([])
  })

  it('has no group where there is none', async () => {
    await start()
    expect(screen.queryByRole('heading', { name: t.groups.other })).toBeNull()
  })
})

describe('a schedule', () => {
  it('is one of a few usual ones, or never', async () => {
    const { user, value } = await start()
    const when = schedule('nightly').getByRole('combobox')
    expect(when).toHaveDisplayValue('Every night at two')
    await user.selectOptions(when, 'Every night at three')
    await waitFor(async () =>
      expect(await value('maintenance.nightly')).toMatchObject({ value: '0 3 * * *', from: 'user' }),
    )
    await waitFor(() => expect(schedule('nightly').getByRole('textbox')).toHaveValue('0 3 * * *'))
    await user.selectOptions(when, m.never)
    await waitFor(async () => expect((await value('maintenance.nightly'))?.value).toBe(''))
    expect(await violations()).toEqual([])
  })

  it('is any other, which the program has a look at', async () => {
    const { user, value } = await start()
    const field = schedule('weekly').getByRole('textbox')
    await user.clear(field)
    await user.type(field, 'on  Sundays{Enter}')
    expect(await screen.findByText(/^This can't be "on Sundays": want a cron expression/)).toBeInTheDocument()
    expect(field).toBeInvalid()
    expect(field).toHaveValue('on  Sundays')
    await user.clear(field)
    await user.type(field, '30 1 * * 1-5{Enter}')
    await waitFor(async () => expect((await value('maintenance.weekly'))?.value).toBe('30 1 * * 1-5'))
    await waitFor(() =>
      expect(schedule('weekly').getByRole('combobox')).toHaveDisplayValue(m.own('30 1 * * 1-5')),
    )
    expect(field).toBeValid()
  })

  it('keeps the hint of another refusal', async () => {
    const problem = { code: 'busy', message: 'the file is locked', hint: 'try again' }
    const { user } = await start({}, { setSetting: () => Promise.reject(new BridgeProblem(problem)) })
    await user.type(schedule('weekly').getByRole('textbox'), '0{Enter}')
    expect(await screen.findByText('the file is locked. try again')).toBeInTheDocument()
  })

  it('says when it comes only while the service runs', async () => {
    await start()
    expect(schedule('nightly').getByRole('combobox').closest('.setting')).toHaveTextContent(m.next)
    expect(screen.queryByText(m.noService, { exact: false })).toBeNull()
  })

  it('leads to the service where none runs', async () => {
    const { user } = await start({ noservice: '' })
    expect(screen.getByText(m.noService, { exact: false })).toBeVisible()
    expect(schedule('nightly').getByRole('combobox').closest('.setting')).not.toHaveTextContent(m.next)
    Element.prototype.scrollIntoView ??= vi.fn()
    await user.click(screen.getByRole('link', { name: m.toService }))
    expect(screen.getByRole('heading', { name: t.service.title })).toHaveFocus()
    expect(await violations()).toEqual([])
  })
})

describe('what is the person’s alone', () => {
  const watch = label('watch.memorize')
  it('is saved for all projects, whatever scope is chosen', async () => {
    const { user, value } = await start()
    await user.click(screen.getByRole('radio', { name: /corner-shop/ }))
    await user.click(screen.getByRole('switch', { name: watch }))
    await waitFor(async () =>
      expect(await value('watch.memorize', '')).toMatchObject({ value: true, from: 'user' }),
    )
    const row = screen.getByRole('switch', { name: watch }).closest('.setting')
    await waitFor(() => expect(row).toHaveTextContent(t.from.user))
  })

  it('says what a project asks for, and shows what is in force', async () => {
    const app = await testApp()
    await app.bridge.setSetting(app.root, 'watch.memorize', true, false)
    const { bridge } = app
    await start({}, { settings: bridge.settings })
    const box = screen.getByRole('switch', { name: watch })
    expect(box).not.toBeChecked()
    expect(box.closest('.setting')).toHaveTextContent(t.asked('on'))
  })
})
