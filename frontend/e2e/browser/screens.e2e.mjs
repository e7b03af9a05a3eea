// What must hold of every screen: it opens, by mouse and by keyboard, has no
// fault that axe-core finds in either theme, fits small windows and large type,
// and puts nothing on the console.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { go, rig, screens, settled, sideways, violations } from '../rig/browser.mjs'
import { memorized } from '../rig/cli.mjs'

let r
before(async () => {
  r = await rig({ before: memorized })
})
after(() => r?.stop())

for (const colorScheme of ['light', 'dark']) {
  test(`accessible in the ${colorScheme} theme`, async (t) => {
    const { page, errors, close } = await r.open({ colorScheme })
    for (const name of screens) {
      await t.test(name, async () => {
        await go(page, name)
        assert.deepEqual(await violations(page), [])
        assert.ok(await page.locator('main').getByRole('heading').first().isVisible(), 'no heading')
        assert.deepEqual(errors.splice(0), [])
      })
    }
    await close()
  })
}

for (const [what, size] of [
  ['a window of 800 by 600', { viewport: { width: 800, height: 600 } }],
  ['200 % zoom', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
]) {
  test(`fits ${what}`, async (t) => {
    const { page, close } = await r.open(size)
    for (const name of screens) {
      await t.test(name, async () => {
        await go(page, name)
        assert.deepEqual(await sideways(page), [], 'these can only be seen by scrolling sideways')
      })
    }
    await close()
  })
}

test('every screen by keyboard', async () => {
  const { page, close } = await r.open()
  for (const [i, name] of screens.entries()) {
    await page.keyboard.press(`Control+${i + 1}`)
    await settled(page)
    await page.locator('nav [aria-current=page]', { hasText: name }).waitFor()
  }
  await close()
})

test('focus is seen wherever the Tab key leads', async (t) => {
  const { page, close } = await r.open()
  for (const name of screens) {
    await t.test(name, async () => {
      await go(page, name)
      const hidden = []
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press('Tab')
        const fault = await page.evaluate(() => {
          const e = document.activeElement
          if (!e || e === document.body) return ''
          const box = e.getBoundingClientRect()
          const style = getComputedStyle(e)
          const ring =
            style.outlineStyle !== 'none' ||
            style.boxShadow !== 'none' ||
            e.matches('[role=document], .cm-content')
          const name = `${e.tagName.toLowerCase()} ${e.getAttribute('aria-label') ?? e.textContent?.trim().slice(0, 30)}`
          if (box.width === 0 || box.height === 0) return `${name}: has no size`
          // A ring may also be drawn by what is around: a field around its input.
          const around = e.parentElement && getComputedStyle(e.parentElement)
          const aroundRing = around && (around.outlineStyle !== 'none' || around.boxShadow !== 'none')
          return ring || aroundRing ? '' : `${name}: looks the same with the focus`
        })
        if (fault && !hidden.includes(fault)) hidden.push(fault)
      }
      assert.deepEqual(hidden, [])
    })
  }
  await close()
})
