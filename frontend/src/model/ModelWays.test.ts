import { screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { Bridge } from '../bridge'
import { renderIn, testApp } from '../test/app'
import { violations } from '../test/axe'
import { text } from '../text'
import ModelWays from './ModelWays.svelte'

const t = text.model

async function start(options: Record<string, string> = {}, over: Partial<Bridge> = {}) {
  const app = await testApp(options, over)
  const off = app.start()
  const choose = vi.spyOn(app.bridge, 'chooseModel')
  renderIn(app, ModelWays, { root: app.root })
  await waitFor(() => expect(screen.queryByText(t.reckoning)).toBeNull())
  return { app, off, choose, user: userEvent.setup() }
}
const radio = (name: RegExp) => screen.getByRole('radio', { name })
const of = (name: RegExp) => radio(name).closest('.way') as HTMLElement

describe('the ways to a model', () => {
  it('say what each costs for this history before anything is chosen', async () => {
    const { choose } = await start()
    expect(screen.getAllByRole('radio')).toHaveLength(5)
    expect(radio(/None: offline/)).toBeChecked()
    expect(of(/None: offline/)).toHaveTextContent(t.free)
    expect(of(/Claude subscription/)).toHaveTextContent(
      /\d+ sessions, \d+ requests, [\d,]+ tokens read and [\d,]+ tokens written: included in your subscription. Your budget counts \$[\d.]+ by the price list/,
    )
    expect(of(/OpenAI/)).toHaveTextContent(/written: \$[\d.]+ by the price list of 2026-11-28/)
    expect(of(/OpenAI/)).toHaveTextContent(t.noKey)
    expect(of(/on this machine/)).toHaveTextContent(/\$0\./)
    expect(choose).not.toHaveBeenCalled()
    expect(await violations()).toEqual([])
  })

  it('save a choice at once, and ask for the key that is missing', async () => {
    const { app, choose, user } = await start()
    await user.click(radio(/Anthropic/))
    expect(choose).toHaveBeenLastCalledWith(app.root, 'anthropic', '', '')
    await waitFor(() => expect(radio(/Anthropic/)).toBeChecked())
    const key = await within(of(/Anthropic/)).findByLabelText(/Key for Anthropic/)
    await user.type(key, 'sk-ant-test')
    await user.click(screen.getByRole('button', { name: text.settings.key.save }))
    await waitFor(() => expect(of(/Anthropic/)).not.toHaveTextContent(t.noKey))
    expect(await violations()).toEqual([])
    await user.click(radio(/None: offline/))
    await waitFor(() => expect(radio(/None: offline/)).toBeChecked())
    const settings = await app.bridge.settings('')
    expect(settings.find((s) => s.key === 'extractors')?.value).toEqual(['dev.recollect.offline'])
  })

  it('offer the models of a way with their prices, and take any other', async () => {
    const { app, choose, user } = await start()
    await user.click(radio(/OpenAI/))
    const field = () => within(of(/OpenAI/)).findByRole('combobox', { name: t.model })
    expect(await field()).toHaveAccessibleDescription(/\$0.40 for a million tokens read/)
    await user.click(await field())
    await user.click(await screen.findByText('$0.25 in, $2.00 out'))
    expect(choose).toHaveBeenLastCalledWith(app.root, 'openai', 'gpt-5-mini', '')
    await waitFor(async () => expect(await field()).toHaveValue('gpt-5-mini'))
    expect(await field()).toHaveAccessibleDescription(/\$0.25 for a million tokens read/)
    await user.click(await field())
    await user.keyboard('gpt-9{Enter}')
    expect(choose).toHaveBeenLastCalledWith(app.root, 'openai', 'gpt-9', '')
    await waitFor(async () => expect(await field()).toHaveAccessibleDescription(/does not know this model/))
    expect(await violations()).toEqual([])
  })

  it('take the address of a server that is not found', async () => {
    const { app, choose, user } = await start({ nomodel: '' })
    expect(of(/Claude subscription/)).toHaveTextContent(t.noClaude)
    await user.click(radio(/on this machine/))
    expect(choose).not.toHaveBeenCalled()
    expect(of(/on this machine/)).toHaveTextContent(t.noServer)
    expect(screen.getByRole('button', { name: t.use })).toBeDisabled()
    await user.type(screen.getByLabelText(t.address), 'http://127.0.0.1:8000/v1')
    await user.type(screen.getByLabelText(t.model), 'mine')
    await user.click(screen.getByRole('button', { name: t.use }))
    expect(choose).toHaveBeenLastCalledWith(app.root, 'local', 'mine', 'http://127.0.0.1:8000/v1')
    await waitFor(() => expect(radio(/on this machine/)).toBeChecked())
  })

  it('let a model be chosen of those that a server has', async () => {
    const { app, choose, user } = await start()
    await user.click(radio(/on this machine/))
    await user.selectOptions(await screen.findByLabelText(t.model), 'large:70b')
    expect(choose).toHaveBeenLastCalledWith(app.root, 'local', 'large:70b', 'http://127.0.0.1:11434/v1')
  })

  it('say what went wrong, and that nothing was chosen', async () => {
    const { user } = await start({ fail: 'chooseModel' })
    await user.click(radio(/Claude subscription/))
    expect(await screen.findByRole('alert')).toHaveTextContent('chooseModel was told to fail')
    await waitFor(() => expect(radio(/None: offline/)).toBeChecked())
  })

  it('are there when the costs can’t be reckoned', async () => {
    await start({ fail: 'modelWays' })
    expect(await screen.findByText(/modelWays was told to fail/)).toBeVisible()
    expect(screen.getAllByRole('radio')).toHaveLength(5)
  })
})
