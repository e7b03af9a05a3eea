// Review and Conflicts: what a person is asked, answered by keyboard and mouse.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { until } from '../rig/app.mjs'
import { choose, go, rig, row, settled, violations } from '../rig/browser.mjs'
import { contradicted, memoryFile, proposed } from '../rig/cli.mjs'

let r
let ui
const memory = (project) =>
  existsSync(memoryFile(r.home, project)) ? readFileSync(memoryFile(r.home, project), 'utf8') : ''

before(async () => {
  r = await rig({
    before(home) {
      contradicted(home, 'harbour')
      proposed(home, 'greenhouse')
    },
  })
  ui = await r.open()
})
after(async () => {
  await r?.stop()
})

test('nothing goes into memory before it is accepted', async () => {
  const { page } = ui
  await choose(page, 'Project', 'greenhouse')
  await go(page, 'Review')
  await row(page, 'Do not add pandas').waitFor()
  assert.doesNotMatch(memory('greenhouse'), /pandas/)
  assert.deepEqual(await violations(page), [])
})

test('accept, refuse and edit by keyboard', async () => {
  const { page } = ui
  await row(page, 'Do not add pandas').focus()
  await page.keyboard.press('a')
  await until('the accepted item', () => memory('greenhouse').includes('Do not add pandas'), 10)
  await row(page, 'The window opened at night').focus()
  await page.keyboard.press('x')
  await row(page, 'The window opened at night').waitFor({ state: 'detached' })
  await row(page, 'The Pi has only 512 MB').focus()
  await page.keyboard.press('e')
  const field = page.getByRole('textbox', { name: 'Words to accept' })
  await field.fill('The Pi has only 512 MB of memory')
  await field.press('Enter')
  await until('the edited item', () => memory('greenhouse').includes('512 MB of memory'), 10)
  assert.doesNotMatch(memory('greenhouse'), /opened at night/)
})

test('j and k move, and undo takes a decision back', async () => {
  const { page } = ui
  const focused = () => page.evaluate(() => document.activeElement?.closest('[data-index]')?.dataset.index)
  await row(page, 'Tests must always run').focus()
  const here = await focused()
  await page.keyboard.press('k')
  assert.notEqual(await focused(), here)
  await page.keyboard.press('j')
  assert.equal(await focused(), here)
  await page.keyboard.press('a')
  await until('the item', () => memory('greenhouse').includes('Tests must always run'), 10)
  await page.getByRole('main').getByRole('button', { name: 'Undo' }).first().click()
  await until('the item to be gone', () => !memory('greenhouse').includes('Tests must always run'), 10)
})

test('accept all that is left', async () => {
  const { page } = ui
  while (await page.getByRole('button', { name: /^Accept all/ }).count()) {
    await page
      .getByRole('button', { name: /^Accept all/ })
      .first()
      .click()
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: /^Accept all/ })
      .click()
    await settled(page)
    await page.waitForTimeout(300)
  }
  await until('all of them', () => memory('greenhouse').includes('Tests must always run'), 10)
  assert.deepEqual(await violations(page), [])
})

test('a decision is undone, also one that leaves the memory as it was', async () => {
  const { page } = ui
  await choose(page, 'Project', 'harbour')
  await go(page, 'Conflicts')
  const decide = async (name) => {
    await page.getByText('Indent with 4 spaces').first().waitFor()
    await page.getByRole('button', { name }).click()
    await page.getByText('All decided').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('button', { name: /Keep the newer/ }).waitFor()
  }
  await decide(/Keep the older/)
  assert.match(memory('harbour'), /4 spaces/)
  await decide(/Keep the newer/)
  await until(
    'the older one',
    () => memory('harbour').includes('4 spaces') && !memory('harbour').includes('2 spaces'),
    10,
  )
  assert.deepEqual(await violations(page), [])
})

test('a conflict: both sides, and keep the newer', async () => {
  const { page } = ui
  await choose(page, 'Project', 'harbour')
  await go(page, 'Conflicts')
  await page.getByText('Indent with 4 spaces').first().waitFor()
  await page
    .getByText(/2 spaces in every source file/)
    .first()
    .waitFor()
  assert.deepEqual(await violations(page), [])
  assert.match(memory('harbour'), /4 spaces/)
  await page.getByRole('button', { name: /Keep the newer/ }).click()
  await until(
    'the newer one',
    () => memory('harbour').includes('2 spaces') && !memory('harbour').includes('4 spaces'),
    10,
  )
  await page.getByText('All decided').waitFor()
  assert.deepEqual(ui.errors, [])
})
