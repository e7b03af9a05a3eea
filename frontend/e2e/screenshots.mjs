// Takes a picture of every screen in both themes. Run by
// `go run ./build screenshots`; the folder is its argument.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { choose, go, rig, row, screens, settled } from './rig/browser.mjs'
import { everything } from './rig/cli.mjs'

const folder = process.argv[2]
mkdirSync(folder, { recursive: true })
const sampleNow = { Review: 'greenhouse' } // the others show harbour

// prepare brings a screen to where it shows what it is for.
const prepare = {
  Memory: async (page) => {
    await row(page, 'Money is always counted in whole cents').click()
    await page.mouse.move(0, 0) // no row but the chosen one is marked
    await settled(page)
  },
  Settings: async (page) => {
    await page.getByText('None: offline').first().waitFor()
    await reckoned(page)
  },
}

// reckoned waits until it is known what each model would cost.
function reckoned(page) {
  return page.waitForFunction(() => !document.body.textContent.includes('Reckoning what it would cost'))
}

// tidy writes the folder of a person in place of the temporary one.
function tidy(page, dir) {
  return page.evaluate((from) => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
      const node = walk.currentNode
      if (node.data.includes(from))
        node.data = node.data.replaceAll(`${from}/work`, '/home/sam/code').replaceAll(from, '/home/sam')
    }
  }, dir)
}

async function shoot(page, name, theme, dir) {
  await settled(page)
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(400) // charts and diffs draw after they are there
  await tidy(page, dir)
  await page.screenshot({ path: join(folder, `${name.toLowerCase()}-${theme}.png`), animations: 'disabled' })
  console.log(`${name}, ${theme}`)
}

const first = await rig()
try {
  for (const theme of ['light', 'dark']) {
    const { page, close } = await first.open({ colorScheme: theme })
    await shoot(page, 'first-run', theme, first.home.dir)
    await close()
  }
} finally {
  await first.stop()
}

const r = await rig({ before: everything })
try {
  for (const theme of ['light', 'dark']) {
    const { page, errors, close } = await r.open({ colorScheme: theme })
    for (const name of screens) {
      await choose(page, 'Project', sampleNow[name] ?? 'harbour')
      await go(page, name)
      await prepare[name]?.(page)
      await shoot(page, name, theme, r.home.dir)
    }
    await close()
    if (errors.length) throw new Error(`errors on the page:\n${errors.join('\n')}`)
  }
} finally {
  await r.stop()
}
