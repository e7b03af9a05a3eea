// The first run, from nothing to a CLAUDE.md with our block in it: once with the
// mouse, once with the keyboard alone.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../rig/app.mjs'
import { choose, go, press, rig, row, violations } from '../rig/browser.mjs'
import { memoryFile } from '../rig/cli.mjs'

const slow = { timeout: 120_000 } // plug-ins are compiled the first time
let r
let ui
const everythingIn = (dir) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => readFileSync(join(e.parentPath ?? e.path, e.name), 'latin1'))
    .join('\n')
const claude = (project) => join(r.home.roots[project], 'CLAUDE.md')

before(async () => {
  r = await rig()
  ui = await r.open()
})
after(async () => {
  await r?.stop()
})

test('with the mouse: find, look, memorize, see what is written, write', async () => {
  const { page } = ui
  const mine = readFileSync(claude('harbour'), 'utf8')
  await page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor()
  await page.getByText('3 projects, 7 sessions').waitFor()
  assert.equal(await page.getByText('Puffin').count(), 0, 'an assistant is listed that is not here')
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('radio', { name: /harbour/ }).check()
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Continue' }).click()
  // What each way would cost, before anything is asked, and offline as it is.
  await page
    .getByText(/requests?, .* by the price list of/)
    .first()
    .waitFor(slow)
  assert.ok(await page.getByRole('radio', { name: /None: offline/ }).isChecked())
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/items would be remembered, on 3 branches/).waitFor(slow)
  assert.ok(!existsSync(memoryFile(r.home, 'harbour')), 'something was written before it was asked for')
  assert.deepEqual(await violations(page), [])
  // What is unticked is not stored.
  for (const more of await page.getByRole('button', { name: /^Show \d+ more/ }).all()) await more.click()
  const unwanted = page.getByRole('checkbox', { name: /We use pnpm in this repository/ })
  await unwanted.uncheck()
  await page.getByText(/Without the 1 item that you unticked/).waitFor()
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Memorize this project' }).click()
  const write = page.getByRole('button', { name: 'Write it' })
  await write.waitFor(slow)
  assert.match(readFileSync(memoryFile(r.home, 'harbour'), 'utf8'), /whole cents/)
  assert.doesNotMatch(everythingIn(join(r.home.roots.harbour, '.recollect')), /We use pnpm/)
  assert.equal(readFileSync(claude('harbour'), 'utf8'), mine, 'CLAUDE.md was touched before it was asked for')
  assert.deepEqual(await violations(page), [])
  await write.click()
  await page.getByRole('button', { name: 'Open the memory' }).waitFor(slow)
  const now = readFileSync(claude('harbour'), 'utf8')
  assert.ok(now.startsWith(mine), 'what the person wrote is not as it was')
  assert.match(now, /recollect:begin[\s\S]*whole cents[\s\S]*recollect:end/)
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByRole('heading', { name: /Memory of/ }).waitFor()
})

test('correct an item, see the difference, write it', async () => {
  const { page } = ui
  const mine = readFileSync(claude('harbour'), 'utf8').split('<!-- recollect:begin')[0]
  await choose(page, 'Branch', 'main')
  await go(page, 'Memory')
  await row(page, 'Money is always counted in whole cents').focus()
  await page.keyboard.press('e')
  const field = page.getByRole('textbox', { name: 'Words of the item' })
  await field.fill('Money is always counted in whole cents of a euro')
  await field.press('Enter')
  await until(
    'the edit',
    () => readFileSync(memoryFile(r.home, 'harbour'), 'utf8').includes('cents of a euro'),
    10,
  )
  await go(page, 'Injection')
  const target = page.getByRole('article', { name: /CLAUDE.md/ })
  await target.getByRole('button', { name: /^Compare/ }).click()
  await page.getByText('cents of a euro').first().waitFor()
  assert.deepEqual(await violations(page), [])
  await target.getByRole('button', { name: /^Write/ }).click()
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: 'Write', exact: true })
    .click()
  await until('CLAUDE.md', () => readFileSync(claude('harbour'), 'utf8').includes('cents of a euro'), 10)
  assert.ok(readFileSync(claude('harbour'), 'utf8').startsWith(mine))
})

test('take the block out again: every byte is as it was', async () => {
  const { page } = ui
  const target = page.getByRole('article', { name: /CLAUDE.md/ })
  await target.getByRole('button', { name: /^Take the block out/ }).click()
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: 'Take the block out', exact: true })
    .click()
  await until('CLAUDE.md', () => !readFileSync(claude('harbour'), 'utf8').includes('recollect:begin'), 10)
  const { projects } = await import('../rig/sample.mjs')
  assert.equal(readFileSync(claude('harbour'), 'utf8'), projects[0].files['CLAUDE.md'])
  assert.deepEqual(ui.errors, [])
})

test('with the keyboard alone', async () => {
  const other = await rig()
  try {
    const { page } = await other.open()
    await page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor()
    await press(page, 'Continue')
    await page.getByRole('radio').first().waitFor()
    while (!(await page.evaluate(() => document.activeElement?.type === 'radio')))
      await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await press(page, 'Continue')
    await page.getByRole('radio', { name: /None: offline/ }).waitFor()
    await press(page, 'Continue')
    await page.getByText(/items? would be remembered/).waitFor(slow)
    await press(page, 'Memorize this project')
    await page.getByRole('button', { name: 'Write it' }).waitFor(slow)
    await press(page, 'Write it')
    await page.getByRole('button', { name: 'Open the memory' }).waitFor(slow)
    await press(page, 'Open the memory')
    await page.getByRole('heading', { name: /Memory of/ }).waitFor()
    await until(
      'a CLAUDE.md with our block',
      () =>
        Object.values(other.home.roots).some((root) => {
          const path = join(root, 'CLAUDE.md')
          return existsSync(path) && readFileSync(path, 'utf8').includes('recollect:begin')
        }),
      10,
    )
  } finally {
    await other.stop()
  }
})
