// Drives the page of a running backend in Chromium.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'
import { startBackend, startScreen } from './app.mjs'
import { makeHome } from './home.mjs'

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

// screens are the names in the navigation, in its order.
export const screens = [
  'Projects',
  'Memory',
  'Review',
  'Conflicts',
  'Injection',
  'Plug-ins',
  'Dashboard',
  'Settings',
]

export function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

// harmless are messages on the console that mean no fault.
const harmless = [/Unknown message from front end: runtime:ready/, /\[vite\]/]

// open gives a page with the app in it. Its errors are what went wrong in it.
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const errors = []
  page.on('pageerror', (err) => {
    // Wails' own cover of a page that is not connected yet.
    if (!err.stack?.includes('/wails/ipc.js')) errors.push(`${err.message}\n${err.stack}`)
  })
  page.on('console', (m) => {
    if (m.type() === 'error' && !harmless.some((h) => h.test(m.text()))) errors.push(m.text())
  })
  page.setDefaultTimeout(15_000)
  await page.goto(url)
  await page.locator('main, [role=main]').first().waitFor()
  return { page, errors, close: () => context.close() }
}

// go shows a screen by its name in the navigation.
export async function go(page, name) {
  const link = page
    .getByRole('navigation')
    .getByRole('link', { name })
    .or(page.getByRole('navigation').getByRole('button', { name }))
    .first()
  await link.click()
  await settled(page)
}

// choose picks a project or a branch at the top of the window.
export async function choose(page, what, name) {
  const field = page.locator('header').getByRole('combobox', { name: what })
  await field.click()
  await field.fill(name)
  await page.getByRole('option', { name }).first().click()
  await settled(page)
}

// row gives the row of a list that has these words.
export function row(page, words) {
  return page.getByRole('listitem').filter({ hasText: words }).first()
}

// press goes to a button with the Tab key alone and presses it.
export async function press(page, name) {
  await page.getByRole('button', { name }).first().waitFor()
  for (let i = 0; i < 80; i++) {
    const here = await page.evaluate(() => {
      const e = document.activeElement
      return e?.getAttribute('aria-label') ?? e?.textContent?.trim() ?? ''
    })
    if (here === name) return page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not lead to "${name}"`)
}

// settled waits until nothing on the page says that it is loading.
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

// violations gives what axe-core finds on the page, one line each.
export async function violations(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found = await page.evaluate(
    async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations,
  )
  return found.map((v) => `${v.impact} ${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)
}

// sideways lists what can only be seen by scrolling sideways: the page itself,
// or a part of it that does not scroll by itself on purpose.
export function sideways(page) {
  return page.evaluate(() => {
    const wide = []
    const name = (e) => `${e.tagName.toLowerCase()}.${e.className || e.id}`
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) wide.push(`the page: ${root.scrollWidth} > ${root.clientWidth}`)
    const scrolls = (e) => {
      for (let p = e; p; p = p.parentElement)
        if (/auto|scroll/.test(getComputedStyle(p).overflowX)) return true
      return false
    }
    for (const e of document.querySelectorAll('main *')) {
      const box = e.getBoundingClientRect()
      if (box.width && box.right > innerWidth + 1 && !scrolls(e) && !e.closest('[class*=hidden-visually]'))
        wide.push(name(e))
    }
    return wide.slice(0, 8)
  })
}

// rig is everything that a test of the page needs, started once.
export async function rig(options = {}) {
  const stops = []
  const stop = async () => {
    for (const s of stops.reverse()) await s()
  }
  try {
    const screen = await startScreen()
    stops.push(() => screen.stop())
    const home = makeHome(options.projects)
    stops.push(() => home.remove())
    await options.before?.(home, screen)
    const backend = await startBackend(home, screen, options.args)
    stops.push(() => backend.stop())
    const browser = await startBrowser()
    stops.push(() => browser.close())
    return { screen, home, backend, browser, open: (o) => open(browser, backend.url, o), stop }
  } catch (err) {
    await stop()
    throw err
  }
}
