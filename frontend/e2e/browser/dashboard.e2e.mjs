// On the first day the dashboard shows the history that there is, and at no width
// do its labels overlap, leave the picture or say the same twice.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { choose, go, rig, settled, sideways, violations } from '../rig/browser.mjs'
import { everything } from '../rig/cli.mjs'

let r
before(async () => {
  r = await rig({ before: everything })
})
after(() => r?.stop())

// watch notes what is written on canvases, and where, in pixels of the window.
function watch() {
  const notes = new WeakMap()
  window.written = (canvas) => notes.get(canvas) ?? []
  const p = CanvasRenderingContext2D.prototype
  const { fillText, clearRect } = p
  p.clearRect = function (...args) {
    notes.set(this.canvas, [])
    return clearRect.apply(this, args)
  }
  p.fillText = function (text, x, y, ...rest) {
    const m = this.measureText(text)
    const at = this.getTransform().transformPoint(new DOMPoint(x, y))
    const scale = devicePixelRatio
    const box = {
      text,
      left: (at.x - m.actualBoundingBoxLeft) / scale,
      right: (at.x + m.actualBoundingBoxRight) / scale,
      top: (at.y - m.actualBoundingBoxAscent) / scale,
      bottom: (at.y + m.actualBoundingBoxDescent) / scale,
    }
    notes.set(this.canvas, [...(notes.get(this.canvas) ?? []), box])
    return fillText.call(this, text, x, y, ...rest)
  }
}

// faults lists labels that overlap, are cut off, or are there twice on one axis.
function faults() {
  const found = []
  for (const canvas of document.querySelectorAll('main canvas')) {
    const { width, height } = canvas.getBoundingClientRect()
    const labels = window.written(canvas).filter((l) => l.text.trim())
    if (labels.length < 3) found.push(`only ${labels.length} labels`)
    for (const [i, a] of labels.entries()) {
      if (a.left < -1 || a.right > width + 1 || a.top < -1 || a.bottom > height + 1)
        found.push(`${a.text} is cut off`)
      for (const b of labels.slice(i + 1)) {
        const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
        if (!apart) found.push(`${a.text} and ${b.text} overlap`)
        const oneAxis = Math.abs(a.bottom - b.bottom) < 3 || Math.abs(a.right - b.right) < 3
        if (oneAxis && a.text === b.text) found.push(`${a.text} is there twice`)
      }
    }
  }
  const parts = [...document.querySelectorAll('main .figure, main .card')].map((e) =>
    e.getBoundingClientRect(),
  )
  for (const [i, a] of parts.entries())
    for (const b of parts.slice(i + 1))
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        found.push('parts overlap')
  for (const grid of document.querySelectorAll('main .charts')) {
    const rights = [...grid.children].map((e) => e.getBoundingClientRect().right)
    if (Math.max(...rights) < grid.getBoundingClientRect().right - 1)
      found.push('a part of the width is not used')
  }
  return found
}

test('on the first day the growth is that of the history', async () => {
  const { page, errors, close } = await r.open()
  await choose(page, 'Project', 'harbour')
  await go(page, 'Dashboard')
  const chart = page.getByRole('figure').filter({ hasText: 'Items over time' })
  await chart.getByRole('button', { name: 'Show as a table' }).click()
  const rows = await chart
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))
  const days = rows.map((row) => row[0])
  assert.ok(days.includes('2026-10-05') && days.includes('2026-10-12'), `the days are ${days}`)
  assert.equal(rows[0][1], '0')
  const remembered = await page
    .locator('.figure')
    .filter({ hasText: 'Items remembered' })
    .locator('.value')
    .textContent()
  assert.equal(rows.at(-1)[1], remembered)
  assert.deepEqual(errors, [])
  await close()
})

for (const colorScheme of ['light', 'dark']) {
  test(`nothing overlaps at any width in the ${colorScheme} theme`, async (t) => {
    const { page, close } = await r.open({ colorScheme })
    await page.addInitScript(watch)
    await page.reload()
    await page.locator('main').first().waitFor()
    for (const width of [360, 480, 640, 736, 800, 896, 1000, 1100, 1280, 1440, 1680, 1920]) {
      await t.test(`${width} px`, async () => {
        await page.setViewportSize({ width, height: 900 })
        await choose(page, 'Project', 'harbour')
        await go(page, 'Dashboard')
        await page.locator('main canvas').nth(1).waitFor()
        await settled(page)
        await page.waitForTimeout(200) // charts draw after they are there
        assert.deepEqual(await page.evaluate(faults), [])
        assert.deepEqual(await sideways(page), [])
      })
    }
    assert.deepEqual(await violations(page), [])
    await close()
  })
}
