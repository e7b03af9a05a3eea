// The list of projects says of each what there is to do, and stays readable
// however narrow it is: a path is cut in its middle, a row of branches takes one
// line where there is room, and a number never stands without its noun.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { go, rig, settled, sideways, violations } from '../rig/browser.mjs'
import { everything, recollect } from '../rig/cli.mjs'

let r
before(async () => {
  r = await rig({
    before: (home) => {
      everything(home)
      recollect(home, 'almanac', 'branches') // counts, and remembers nothing
    },
  })
})
after(() => r?.stop())

const project = (page, name) => page.getByRole('option').filter({ hasText: name }).first()

test('each project says what there is to do', async () => {
  const { page, errors, close } = await r.open()
  await go(page, 'Projects')
  const words = async (name) => (await project(page, name).textContent()).replace(/\s+/g, ' ')
  assert.match(await words('harbour'), /\d+ items/)
  assert.match(await words('harbour'), /1 conflict\b/)
  assert.match(await words('greenhouse'), /\d+ to review/)
  assert.match(await words('almanac'), /\d+ new turns/)
  assert.match(await words('almanac'), /no items/)
  await project(page, 'almanac').click()
  await settled(page)
  const badge = page.locator('nav [aria-current=page] .count')
  assert.match(await badge.textContent(), /^\d+ new turns?$/)
  assert.deepEqual(await violations(page), [])
  assert.deepEqual(errors, [])
  await close()
})

for (const [width, height] of [
  [1000, 680],
  [1280, 800],
  [1920, 1080],
]) {
  test(`paths and rows fit a window of ${width} by ${height}`, async () => {
    const { page, close } = await r.open({ viewport: { width, height } })
    await go(page, 'Projects')
    await project(page, 'harbour').click()
    await settled(page)
    assert.deepEqual(await sideways(page), [])
    const seen = await page.evaluate(() => {
      const box = (e) => e.getBoundingClientRect()
      return {
        cuts: [...document.querySelectorAll('main .cut')].map((e) => ({
          whole: e.querySelector('.hidden-visually').textContent === e.title,
          tail: e.querySelector('.tail').scrollWidth <= e.querySelector('.tail').clientWidth + 1,
          lines: box(e).height < 2 * Number.parseFloat(getComputedStyle(e).fontSize) * 1.45,
        })),
        rows: [...document.querySelectorAll('.branch')].map((e) => box(e).height),
        projects: [...document.querySelectorAll('.project')].map((e) => box(e).height),
      }
    })
    assert.ok(seen.cuts.length >= 4, 'no paths')
    for (const cut of seen.cuts) assert.deepEqual(cut, { whole: true, tail: true, lines: true })
    for (const high of seen.projects) assert.ok(high < 64, `a project takes ${high} px`)
    for (const high of seen.rows) assert.ok(high < (width < 1900 ? 72 : 52), `a branch takes ${high} px`)
    await close()
  })
}
