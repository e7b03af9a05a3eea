// The Memory screen: read, correct, look up, go back; the file says the same.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../rig/app.mjs'
import { choose, go, rig, row, sideways, violations } from '../rig/browser.mjs'
import { memorized, recollect } from '../rig/cli.mjs'

let r
let ui
const file = () => readFileSync(join(r.home.roots.harbour, '.recollect', 'branches', 'main.md'), 'utf8')
const says = (words) => until(`the file to say ${words}`, () => file().includes(words), 10)
const saysNot = (words) => until(`the file not to say ${words}`, () => !file().includes(words), 10)

before(async () => {
  r = await rig({ before: memorized })
  ui = await r.open()
  await choose(ui.page, 'Project', 'harbour')
  await choose(ui.page, 'Branch', 'main')
  await go(ui.page, 'Memory')
  await ui.page.getByRole('heading', { name: 'Memory of main' }).waitFor()
})
after(async () => {
  await r?.stop()
  assert.deepEqual(ui?.errors, [])
})

test('sections in order, and their items', async () => {
  const { page } = ui
  for (const name of ['Facts', 'Architectural Decisions', 'Conventions', 'Bug Patterns']) {
    await page.getByRole('heading', { name }).waitFor()
  }
  await row(page, 'We use pnpm in this repository').waitFor()
})

test('where an item came from', async () => {
  const { page } = ui
  await row(page, 'Money is always counted in whole cents').click()
  const panel = page.getByRole('complementary', { name: 'Where it came from' })
  await panel.getByRole('heading', { name: 'Bookings that overlap' }).waitFor()
  await panel.getByText('Never use floating point for a price.').first().waitFor()
  await panel.getByText('cited', { exact: true }).first().waitFor()
  const marked = (await panel.locator('mark.sentence').allTextContents()).join(' ')
  assert.match(marked, /Money is always counted in whole cents/)
  assert.doesNotMatch(marked, /I changed the three places/)
  assert.deepEqual(await violations(page), [])
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('keys work from within the panel', async () => {
  const { page } = ui
  await row(page, 'We use pnpm in this repository').focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Where it came from' })
  const heading = panel.getByRole('heading', { name: 'Where it came from' })
  await until('the keyboard in the panel', () => heading.evaluate((e) => e === document.activeElement), 10)
  await page.keyboard.press('Delete')
  await page.keyboard.press('k')
  await until('the keyboard in the list', () =>
    page.evaluate(() => document.activeElement?.closest('[role=list]') !== null),
  )
  await says('We use pnpm in this repository')
  await page.keyboard.press('Escape')
})

test('what an assistant is shown is marked, before and after it is written', async () => {
  const { page } = ui
  const item = row(page, 'We use pnpm in this repository')
  await item.getByText('An assistant will be shown this once the files are written').waitFor()
  recollect(r.home, 'harbour', 'inject', '--branch', 'main')
  await go(page, 'Projects')
  await go(page, 'Memory')
  await item.getByText('An assistant is shown this').waitFor()
  await item.getByText(/sure: confidence/i).waitFor()
  assert.deepEqual(await violations(page), [])
})

for (const [width, height, beside] of [
  [1000, 680, false],
  [1280, 800, false],
  [1920, 1080, true],
]) {
  test(`${width} by ${height}: nothing is cut, and the source is ${beside ? 'beside' : 'away'}`, async () => {
    const other = await r.open({ viewport: { width, height }, colorScheme: 'dark' })
    const { page } = other
    await choose(page, 'Project', 'harbour')
    await choose(page, 'Branch', 'main')
    for (const screen of ['Memory', 'Review']) {
      await go(page, screen)
      assert.deepEqual(await sideways(page), [])
    }
    await go(page, 'Memory')
    const list = await page.getByRole('list', { name: 'Items by section' }).boundingBox()
    const footer = await page.locator('footer').boundingBox()
    assert.ok(Math.abs(list.y + list.height - footer.y) < 2, 'the list ends at the status line')
    await page.getByText('.recollect/branches/main.md').waitFor()
    const panel = page.getByRole('complementary', { name: 'Where it came from' })
    if (beside) {
      await panel.waitFor()
      await panel.getByRole('button', { name: 'Close' }).click()
      await go(page, 'Projects')
      await go(page, 'Memory')
      await page.waitForTimeout(400)
    }
    assert.equal(await panel.count(), 0)
    assert.deepEqual(await violations(page), [])
    await other.close()
  })
}

test('edit by keyboard, and undo', async () => {
  const { page } = ui
  await row(page, 'We use pnpm in this repository').focus()
  await page.keyboard.press('e')
  const field = page.getByRole('textbox', { name: 'Words of the item' })
  await field.fill('We use pnpm, version 10, in this repository')
  await field.press('Enter')
  await says('We use pnpm, version 10')
  await row(page, 'version 10').waitFor()
  await page.keyboard.press('Control+z')
  await saysNot('version 10')
  await says('We use pnpm in this repository, not npm')
})

test('add an item, move it, delete it', async () => {
  const { page } = ui
  await page.getByRole('button', { name: 'Add to Facts' }).click()
  const field = page.getByRole('textbox', { name: 'New item in Facts' })
  await field.fill('The office closes at seven')
  await field.press('Enter')
  await says('- The office closes at seven')
  const added = row(page, 'The office closes at seven')
  await added.focus()
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  assert.deepEqual(await violations(page), [])
  await dialog.getByText('Conventions').click()
  await until('the move', () => file().indexOf('The office closes') > file().indexOf('## Conventions'), 10)
  await row(page, 'The office closes at seven').focus()
  await page.keyboard.press('Delete')
  await saysNot('The office closes at seven')
})

test('an edit of the file with an editor is seen', async () => {
  const { page } = ui
  const { writeFileSync } = await import('node:fs')
  const path = join(r.home.roots.harbour, '.recollect', 'branches', 'main.md')
  writeFileSync(
    path,
    file().replace('We use pnpm in this repository', 'We still use pnpm in this repository'),
  )
  await go(page, 'Projects')
  await go(page, 'Memory')
  await row(page, 'We still use pnpm').waitFor()
})

test('versions: what differs, and back', async () => {
  const { page } = ui
  await page.getByRole('tab', { name: 'Versions' }).click()
  const list = page.getByRole('list', { name: 'Versions, newest first' })
  await list.waitFor()
  assert.ok((await list.getByRole('listitem').count()) >= 3)
  assert.deepEqual(await violations(page), [])
  await list
    .getByRole('button', { name: /Restore the version/ })
    .last()
    .click()
  await page.getByRole('button', { name: 'Restore it' }).click()
  await saysNot('We still use pnpm')
  await page.getByRole('tab', { name: /Items/ }).click()
})
