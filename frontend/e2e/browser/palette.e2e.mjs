// The palette: all that menus can, and the items of the project by their words.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { until } from '../rig/app.mjs'
import { choose, go, rig, violations } from '../rig/browser.mjs'
import { memorized, memoryFile } from '../rig/cli.mjs'

let r
let ui
before(async () => {
  r = await rig({ before: memorized })
  ui = await r.open()
  await choose(ui.page, 'Project', 'harbour')
  await choose(ui.page, 'Branch', 'main')
  await go(ui.page, 'Projects')
})
after(async () => {
  await r?.stop()
  assert.deepEqual(ui?.errors, [])
})

async function ask(words) {
  const { page } = ui
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Go to a screen/ }).fill(words)
}

test('an item of another branch is found by its words, and shown there', async () => {
  const { page } = ui
  await ask('cache calendar')
  const hit = page.getByRole('option', { name: /Never cache the calendar/ })
  await hit.waitFor()
  assert.match(await hit.textContent(), /fix\/slow-calendar/)
  assert.deepEqual(await violations(page), [])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Memory of fix/slow-calendar' }).waitFor()
  await until('the item to have the keyboard', () =>
    page.evaluate(() => document.activeElement?.textContent?.includes('Never cache the calendar')),
  )
  await page
    .getByRole('complementary', { name: 'Where it came from' })
    .locator('mark.sentence')
    .first()
    .waitFor()
})

test('what a menu can, from another screen', async () => {
  const { page } = ui
  await go(page, 'Dashboard')
  await ask('clear memory')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /Clear the memory of/ })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await ask('settings: budgets')
  await page.keyboard.press('Enter')
  await until('the group to have the keyboard', () =>
    page.evaluate(() => document.activeElement?.id === 'settings-budget'),
  )
})

test('work is started from it', async () => {
  const { page } = ui
  await choose(page, 'Project', 'almanac')
  await page.waitForTimeout(300)
  assert.ok(!existsSync(memoryFile(r.home, 'almanac')))
  await ask('memorize what is new')
  await page.getByRole('option', { name: /Memorize what is new/ }).waitFor()
  await page.keyboard.press('Enter')
  await until('the memory', () => existsSync(memoryFile(r.home, 'almanac')), 30)
})
