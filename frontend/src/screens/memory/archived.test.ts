import { screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import { text } from '../../text'
import SourcePanel from './SourcePanel.svelte'
import { SourceModel } from './source.svelte'

const t = text.memory.from

async function start(options: Record<string, string>) {
  const app = await testApp(options)
  const branch = app.branch ?? ''
  const { items } = await app.bridge.memory(app.root, branch)
  const item = items.find((i) => i.origins?.some((o) => o.session))
  const source = new SourceModel(app, app.root)
  source.open({ content: item?.content ?? '', branch, item: item?.id ?? '' })
  renderIn(app, SourcePanel, { source, onclose: () => {} })
  return screen.findAllByRole('button', { name: t.whole })
}

it('says at the place and in the session that it is from the archive, and why', async () => {
  const [whole] = await start({ archived: '' })
  const place = whole?.closest('section') as HTMLElement
  expect(within(place).getByText(t.archived)).toBeVisible()
  expect(place).toHaveTextContent(t.archivedText)
  expect(await violations()).toEqual([])
  await userEvent.click(whole as HTMLElement)
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText(t.archived)).toBeVisible()
  await waitFor(async () => expect(await violations()).toEqual([]))
})

it('says nothing of it where the transcript is there', async () => {
  await start({})
  expect(screen.queryByText(t.archived)).toBeNull()
})
