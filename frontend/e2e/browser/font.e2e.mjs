// The font that comes with the program is the one that is seen, whatever the
// machine has, figures are as wide as each other, and hyphens are not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rig } from '../rig/browser.mjs'

let r
before(async () => {
  r = await rig()
})
after(async () => {
  await r?.stop()
})

test('the page is set in the font that comes with the program', async () => {
  const { page, errors } = await r.open()
  await page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor()
  const seen = await page.evaluate(async () => {
    await document.fonts.ready
    const width = (words, family, kind = '') => {
      const e = document.createElement('span')
      e.className = kind
      e.textContent = words
      e.style.fontFamily = family
      document.body.append(e)
      const { width } = e.getBoundingClientRect()
      e.remove()
      return width
    }
    const loaded = [...document.fonts].filter((f) => f.status === 'loaded').map((f) => f.family)
    return {
      first: getComputedStyle(document.body).fontFamily.split(',')[0].replaceAll('"', ''),
      loaded: loaded.map((f) => f.replaceAll('"', '')),
      ones: width('1111111111', '', 'figures'),
      eights: width('8888888888', '', 'figures'),
      hyphens: width('----------', ''),
    }
  })
  assert.equal(seen.first, 'Inter Variable')
  assert.ok(seen.loaded.includes('Inter Variable'), `loaded: ${seen.loaded}`)
  assert.ok(Math.abs(seen.ones - seen.eights) < 0.5, `figures: ${seen.ones} and ${seen.eights}`)
  assert.ok(seen.hyphens < seen.eights * 0.85, `hyphens: ${seen.hyphens}, figures: ${seen.eights}`)
  assert.deepEqual(errors, [])
})
