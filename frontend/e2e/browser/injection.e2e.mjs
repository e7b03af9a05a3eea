// Injection: what is left out has the real reason, and one click changes it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { choose, go, rig, row, settled, sideways, violations } from '../rig/browser.mjs'
import { memorized, recollect } from '../rig/cli.mjs'

let r
let ui
before(async () => {
  r = await rig({
    before(home) {
      memorized(home)
      recollect(home, 'harbour', 'config', 'set', '--user', 'inject.budget', '150')
    },
  })
  ui = await r.open()
  await choose(ui.page, 'Project', 'harbour')
  await choose(ui.page, 'Branch', 'main')
  await go(ui.page, 'Injection')
})
after(async () => {
  await r?.stop()
  assert.deepEqual(ui?.errors, [])
})

const tab = (name) => ui.page.getByRole('tab', { name })

test('what is left out says the place of its section, its share, and what was left', async () => {
  const { page } = ui
  await tab(/Left out/).click()
  await row(
    page,
    /The section Facts comes last and has [\d,]+ tokens? for itself, and the budget is used up/,
  ).waitFor()
  await page
    .getByText(/It takes \d+ tokens; \d+ of 150 are left/)
    .first()
    .waitFor()
  assert.deepEqual(await violations(page), [])
})

test('an item is pinned by one click, is in the block then, and that is undone', async () => {
  const { page } = ui
  const line = row(page, /The section Facts comes last/)
  const words = (await line.locator('p').first().textContent()).trim()
  await line.getByRole('button', { name: 'Pin it' }).click()
  await page.getByText('Item pinned: it comes before the others').waitFor()
  await tab(/In the block/).click()
  await row(page, words).waitFor()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await row(page, words).waitFor({ state: 'detached' })
})

test('the budget is raised by one click so that all fit', async () => {
  const { page } = ui
  await tab(/Left out/).click()
  await page.getByRole('button', { name: /^Raise the budget to [\d,]+ tokens/ }).click()
  await page.getByText(/The budget is [\d,]+ tokens now/).waitFor()
  await page.getByText('Nothing is left out').waitFor()
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await row(page, /The section Facts comes last/).waitFor()
})

for (const [width, height] of [
  [1000, 680],
  [1280, 800],
  [1920, 1080],
]) {
  test(`fits ${width} by ${height}, and an item is opened from there`, async () => {
    const { page } = ui
    await page.setViewportSize({ width, height })
    await go(page, 'Injection')
    await tab(/Left out/).click()
    await settled(page)
    assert.deepEqual(await sideways(page), [])
    await row(page, /The section Facts comes last/)
      .getByRole('button', { name: 'Open in the memory' })
      .click()
    await page.getByRole('heading', { name: 'Memory of main' }).waitFor()
  })
}
