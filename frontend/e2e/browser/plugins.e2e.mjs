// Plug-ins open on what the project uses; the settings ask for the key first, and
// have controls of one height.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { choose, go, rig, settled, sideways, violations } from '../rig/browser.mjs'
import { memorized, recollect } from '../rig/cli.mjs'

let r
let ui
before(async () => {
  r = await rig({
    before(home) {
      memorized(home)
      recollect(home, 'harbour', 'config', 'set', '--user', 'model.provider', 'anthropic')
    },
  })
  ui = await r.open()
  await choose(ui.page, 'Project', 'harbour')
})
after(async () => {
  await r?.stop()
  assert.deepEqual(ui?.errors, [])
})

test('those in use come first, and one of them is shown', async () => {
  const { page } = ui
  await go(page, 'Plug-ins')
  const options = page.getByRole('listbox', { name: 'Plug-ins' }).getByRole('option')
  await options.first().waitFor()
  const used = (await options.allTextContents()).map((words) => words.includes('Used here as'))
  assert.ok(used[0], 'the first is not in use')
  assert.deepEqual(
    used,
    used.toSorted((a, b) => Number(b) - Number(a)),
    'one that is not in use comes before one that is',
  )
  assert.match(await options.and(page.locator('[aria-selected=true]')).textContent(), /Used here as/)
  assert.deepEqual(await violations(page), [])
})

test('a warning stands only where it is true now', async () => {
  const { page } = ui
  await page
    .getByRole('option', { name: /not|model/i })
    .filter({ hasNotText: 'Used here as' })
    .first()
    .click()
  await settled(page)
  assert.equal(await page.getByText('Takes text away or costs money', { exact: true }).count(), 0)
  await page.getByText('Would take text away or cost money, if this project used it').first().waitFor()
  assert.deepEqual(await violations(page), [])
})

test('the key comes before what is optional, and controls have one height', async () => {
  const { page } = ui
  await go(page, 'Settings')
  const key = page.locator('input[type=password]').first()
  await key.waitFor()
  const name = page.getByRole('combobox', { name: 'Model', exact: true })
  const [a, b] = [await key.boundingBox(), await name.boundingBox()]
  assert.ok(a.y < b.y, 'the key is not first')
  const heights = await page
    .locator('main .field > :is(input, select, .box)')
    .evaluateAll((all) => [...new Set(all.filter((e) => e.offsetHeight).map((e) => e.offsetHeight))])
  assert.equal(heights.length, 1, `controls of several heights: ${heights}`)
  assert.deepEqual(await violations(page), [])
  for (const [width, height] of [
    [1000, 680],
    [1920, 1080],
  ]) {
    await page.setViewportSize({ width, height })
    await settled(page)
    assert.deepEqual(await sideways(page), [])
  }
})

test('a model is one of a list with prices, or any other', async () => {
  const { page } = ui
  const name = page.getByRole('combobox', { name: 'Model', exact: true })
  await name.click()
  await page.getByRole('option', { name: /claude-sonnet-4-6.*\$3\.00 in, \$15\.00 out/ }).waitFor()
  assert.deepEqual(await violations(page), [])
  await page.keyboard.type('sonnet-4-6')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('$3.00 for a million tokens read and $15.00 for a million written').waitFor()
  assert.match(recollect(r.home, 'harbour', 'config', 'get', 'model.name'), /claude-sonnet-4-6/)
  await name.click()
  await page.keyboard.type('claude-of-tomorrow')
  await page.keyboard.press('Enter')
  await page.getByText('does not know this model').waitFor()
  assert.match(recollect(r.home, 'harbour', 'config', 'get', 'model.name'), /claude-of-tomorrow/)
  await name.click()
  await page.keyboard.type('claude-haiku-4-5')
  await page.keyboard.press('Tab')
  await page.getByText('$1.00 for a million tokens read and $5.00 for a million written').waitFor()
  assert.deepEqual(await violations(page), [])
})
