// The policy of the page: the app keeps to it on every screen, and whatever else
// gets into the page can't run, send or load anything.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../rig/app.mjs'
import { go, rig, screens } from '../rig/browser.mjs'
import { memorized } from '../rig/cli.mjs'
import { attempts, startServer, through } from '../rig/intruder.mjs'

let r
before(async () => {
  r = await rig({ before: memorized })
})
after(() => r?.stop())

// noted gives a page that notes what its policy forbids. Wails' own cover of a page
// that is not connected, in builds for development, is none of the app.
async function noted(options) {
  const opened = await r.open(options)
  await opened.page.evaluate(() => {
    window.forbidden = []
    addEventListener('securitypolicyviolation', (e) => {
      if (!e.sourceFile.includes('/wails/')) {
        window.forbidden.push(`${e.effectiveDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`)
      }
    })
  })
  return opened
}

for (const colorScheme of ['light', 'dark']) {
  test(`every screen keeps to it in the ${colorScheme} theme`, async () => {
    const { page, errors, close } = await noted({ colorScheme })
    for (const name of screens) await go(page, name)
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    assert.deepEqual(await page.evaluate(() => window.forbidden), [])
    assert.deepEqual(errors, [])
    await close()
  })
}

test('nothing else runs, is loaded or is sent', async () => {
  const server = await startServer()
  const { page, close } = await noted()
  const opened = []
  page.context().on('page', (other) => opened.push(other.url()))
  const url = page.url()
  await page.evaluate(attempts(server.url))
  assert.deepEqual(await through((words) => page.evaluate(words), server), [])
  assert.deepEqual(opened, [])
  assert.equal(page.url(), url)
  assert.ok((await page.evaluate(() => window.forbidden)).length >= 10)
  await close()
  await server.stop()
})

test('a script can not lead the page elsewhere', async () => {
  const server = await startServer()
  const { page, close } = await noted()
  const url = page.url()
  await page.evaluate((to) => {
    location.href = to
  }, `${server.url}/page-left`)
  await sleep(500)
  assert.equal(page.url(), url)
  assert.deepEqual(server.asked, [])
  await close()
  await server.stop()
})

test('what is served says so in a header, and can not be framed', async () => {
  for (const path of ['', 'index.html', 'policy.txt', 'nothing']) {
    const policy = (await fetch(r.backend.url + path)).headers.get('content-security-policy')
    assert.match(policy ?? '', /^default-src 'none'; .*frame-ancestors 'none'$/, path)
    assert.doesNotMatch(policy, /unsafe|\*|http/, path)
  }
  const server = await startServer(() => `<iframe src="${r.backend.url}"></iframe>`)
  const context = await r.browser.newContext()
  const page = await context.newPage()
  await page.goto(`${server.url}/page`)
  await until('the frame', () => page.frames().length === 2 && page.frames()[1].url() !== '')
  await sleep(500)
  assert.match(page.frames()[1].url(), /^chrome-error:/)
  await context.close()
  await server.stop()
})
