// What a clone asks for, from its banner to the yes and back, on the real program.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../rig/app.mjs'
import { choose, go, rig, violations } from '../rig/browser.mjs'
import { memorized } from '../rig/cli.mjs'

let r
let file
const asks = (dollars) =>
  writeFileSync(file, JSON.stringify({ version: 1, budget: { day_dollars: dollars } }))
before(async () => {
  r = await rig({
    before: (home) => {
      memorized(home)
      file = join(home.roots.harbour, '.recollect', 'config.json')
      mkdirSync(join(home.roots.harbour, '.recollect'), { recursive: true })
      asks(50)
    },
  })
})
after(() => r?.stop())

test('a yes is to what was shown, and can be taken back', async () => {
  const { page, errors, close } = await r.open()
  const before = readFileSync(file, 'utf8')
  const banner = page.getByRole('region', { name: 'What this project asks for' })
  await choose(page, 'Project', 'greenhouse')
  await banner.waitFor({ state: 'detached' })
  await choose(page, 'Project', 'harbour')
  await banner.getByText('harbour asks for more than may count by itself').waitFor()
  assert.deepEqual(await violations(page), [])
  await banner.getByRole('button', { name: 'See and decide' }).click()
  const sheet = page.getByRole('dialog', { name: 'What harbour asks for' })
  await sheet.getByText('budget.day_dollars').waitFor()
  await sheet.getByText('In the file: 50').waitFor()
  assert.deepEqual(await violations(page), [])

  // Somebody pulls while it is read.
  asks(5000)
  await sheet.getByRole('button', { name: 'Yes, let this count' }).click()
  await sheet.getByText('In the file: 5000').waitFor()
  asks(50)
  await until('the sheet to show it anew', async () => {
    if (await sheet.getByText('In the file: 50', { exact: true }).isVisible()) return true
    await sheet.getByRole('button', { name: 'Yes, let this count' }).click({ timeout: 1000 })
  })
  await sheet.getByRole('button', { name: 'Yes, let this count' }).click()
  await page.getByText('What harbour asks for counts now').waitFor()
  await banner.waitFor({ state: 'detached' })

  await go(page, 'Settings')
  await page.getByRole('button', { name: 'Take the yes back…' }).click()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await banner.waitFor()
  await banner.getByRole('button', { name: 'Not now' }).click()
  await banner.waitFor({ state: 'detached' })
  assert.equal(readFileSync(file, 'utf8'), before)
  assert.deepEqual(errors, [])
  await close()
})
