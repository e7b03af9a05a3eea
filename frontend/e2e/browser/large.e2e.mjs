// Ten thousand items scroll without the window standing still.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { choose, go, rig } from '../rig/browser.mjs'

const items = 10_000
let r

before(async () => {
  r = await rig({
    before(home) {
      const dir = join(home.roots.harbour, '.recollect', 'branches')
      mkdirSync(dir, { recursive: true })
      const lines = Array.from(
        { length: items },
        (_, i) => `- Berth ${i} is ${(i % 90) / 10 + 6} metres long and has power`,
      )
      writeFileSync(join(dir, 'main.md'), `# Branch Memory: main\n\n## Facts\n\n${lines.join('\n')}\n`)
    },
  })
})
after(() => r?.stop())

test('long tasks while scrolling', async (t) => {
  const { page, errors } = await r.open()
  await choose(page, 'Project', 'harbour')
  await choose(page, 'Branch', 'main')
  const begun = Date.now()
  await go(page, 'Memory')
  await page.getByText('Berth 0 is').waitFor()
  t.diagnostic(`${items} items shown after ${Date.now() - begun} ms`)
  const list = page.getByRole('list', { name: 'Items by section' })
  await page.evaluate(() => {
    window.long = []
    new PerformanceObserver((l) =>
      window.long.push(...l.getEntries().map((e) => Math.round(e.duration))),
    ).observe({
      entryTypes: ['longtask'],
    })
  })
  const box = await list.boundingBox()
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  for (let i = 0; i < 60; i++) await page.mouse.wheel(0, 1200)
  await list.press('End')
  await page.getByText(`Berth ${items - 1} is`).waitFor()
  const long = await page.evaluate(() => window.long)
  t.diagnostic(`tasks over 50 ms while scrolling: ${long.length}, longest ${Math.max(0, ...long)} ms`)
  const shown = await list.getByRole('listitem').count()
  assert.ok(shown < 300, `${shown} rows are in the page`)
  assert.ok(Math.max(0, ...long) < 1000, `a task took ${Math.max(...long)} ms`)
  assert.deepEqual(errors, [])
})
