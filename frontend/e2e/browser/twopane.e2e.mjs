// Every screen with two parts lays them out in the same way: side by side over
// the whole width, with a handle for mouse and keys whose place is remembered, and
// one over the other where there is no room.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { choose, go, rig, row, settled, sideways, violations } from '../rig/browser.mjs'
import { everything } from '../rig/cli.mjs'

let r
before(async () => {
  r = await rig({ before: everything })
})
after(() => r?.stop())

// open brings a screen to where it shows two parts.
const opening = {
  Projects: () => {},
  'Plug-ins': () => {},
  Memory: (page) => row(page, 'Money is always counted in whole cents').click(),
  Review: (page) => page.keyboard.press('o'),
  Conflicts: (page) => page.getByRole('button', { name: 'Where it came from' }).first().click(),
}

async function show(page, name) {
  await choose(page, 'Project', name === 'Review' ? 'greenhouse' : 'harbour')
  await go(page, name)
  if (name === 'Review') await page.locator('main [data-index]').first().waitFor()
  await opening[name](page)
  await page.locator('.two.open > .second').waitFor()
  await settled(page)
}

function boxes(page) {
  return page.evaluate(() => {
    const two = document.querySelector('.two.open')
    const [first, second] = two.querySelectorAll(':scope > .part')
    const box = ({ left, right, width, top, bottom }) => ({ left, right, width, top, bottom })
    return [two, first, second].map((e) => box(e.getBoundingClientRect()))
  })
}

for (const colorScheme of ['light', 'dark']) {
  test(`side by side at any width, accessible in the ${colorScheme} theme`, async (t) => {
    const { page, errors, close } = await r.open({ colorScheme })
    for (const name of Object.keys(opening)) {
      await t.test(name, async () => {
        await page.setViewportSize({ width: 1280, height: 800 })
        await show(page, name)
        assert.deepEqual(await violations(page), [])
        for (const [width, height] of [
          [1000, 680],
          [1280, 800],
          [1920, 1080],
        ]) {
          await page.setViewportSize({ width, height })
          await settled(page)
          const [all, first, second] = await boxes(page)
          assert.deepEqual(await sideways(page), [])
          assert.ok(first.right <= second.left, `${width}: the parts overlap`)
          assert.ok(
            second.right >= all.right - 1 && all.right >= width - 30,
            `${width}: the width is not used`,
          )
          assert.ok(Math.abs(first.top - second.top) < 1 && Math.abs(first.bottom - second.bottom) < 1)
          assert.ok(second.width >= 300, `${width}: the second part has ${second.width} px`)
        }
      })
    }
    assert.deepEqual(errors, [])
    await close()
  })
}

test('the handle moves by key, and its place is kept', async () => {
  const { page, close } = await r.open()
  await show(page, 'Memory')
  const before = (await boxes(page))[2].width
  const handle = page.getByRole('separator', { name: 'Width of the list' })
  await handle.focus()
  await page.keyboard.press('ArrowLeft')
  await settled(page)
  const after = (await boxes(page))[2].width
  assert.ok(after > before + 20, `${before} became ${after}`)
  await show(page, 'Review')
  assert.ok(Math.abs((await boxes(page))[2].width - after) < 2, 'another screen with the same part differs')
  await page.keyboard.press('Escape')
  await page.locator('.two:not(.open)').waitFor()
  await close()
})

test('in a narrow window the source lies over the list', async () => {
  const { page, close } = await r.open({ viewport: { width: 800, height: 600 } })
  await show(page, 'Memory')
  const [all, first, second] = await boxes(page)
  assert.ok(Math.abs(first.width - all.width) < 1 && second.left > all.left && second.right <= all.right + 1)
  assert.deepEqual(await sideways(page), [])
  await close()
})
