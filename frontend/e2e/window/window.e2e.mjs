// The window as people get it, in WebKitGTK.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, launch, programs, startScreen, until } from '../rig/app.mjs'
import { recollect } from '../rig/cli.mjs'
import { makeHome } from '../rig/home.mjs'
import { startWindow } from '../rig/inspector.mjs'
import { attempts, startServer, through } from '../rig/intruder.mjs'

let screen
let home
let w

before(async () => {
  screen = await startScreen()
  home = makeHome()
  recollect(home, 'greenhouse', 'memorize', '--all') // so that this is no first run
  w = await startWindow(home, screen)
})
after(async () => {
  await w?.stop()
  home?.remove()
  await screen?.stop()
})

test('memorize, and see an item', async () => {
  await w.page.click('nav button', 'Memory')
  await w.page.has('Nothing is remembered of main yet')
  await w.page.click('main button', 'Memorize main')
  await w.page.has('Money is always counted in whole cents', 120)
})

test('every screen opens', async () => {
  for (const name of [
    'Projects',
    'Review',
    'Conflicts',
    'Injection',
    'Plug-ins',
    'Dashboard',
    'Settings',
    'Memory',
  ]) {
    await w.page.click('nav button', name)
    await until(name, () =>
      w.page.evaluate(
        `document.querySelector('nav [aria-current=page]')?.innerText.startsWith(${JSON.stringify(name)}) && Boolean(document.querySelector('main h1, main h2'))`,
      ),
    )
  }
})

test('a second start brings the first forward and ends with 0', async () => {
  const bus = await addressOf(w.run)
  const second = launch(
    programs.window,
    ['-screen', 'dashboard'],
    { ...home.env, DISPLAY: screen.display },
    bus,
  )
  assert.equal(await second.ended, 0, second.said)
  await until('the Dashboard', () =>
    w.page.evaluate(`document.querySelector('nav [aria-current=page]')?.innerText.startsWith('Dashboard')`),
  )
})

test('nobody else can steer the page', async () => {
  const port = await freePort()
  const own = makeHome([])
  const env = { ...own.env, DISPLAY: screen.display, WEBKIT_INSPECTOR_HTTP_SERVER: `127.0.0.1:${port}` }
  const run = launch(programs.window, [], env)
  try {
    await until('the window', () => windows(own).length > 0)
    await sleep(2000)
    assert.equal(run.code, null, run.said)
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2000) }))
  } finally {
    await run.stop()
    own.remove()
  }
})

test('nothing was put on the console', () => {
  assert.deepEqual(w.page.errors, [])
})

// The last one: what is refused is told on the console.
test('nothing that gets into the page runs, is loaded or is sent', async () => {
  const server = await startServer()
  try {
    const url = await w.page.evaluate('location.href')
    await w.page.evaluate(attempts(server.url))
    assert.deepEqual(await through(w.page.evaluate, server), [])
    assert.equal(await w.page.evaluate('location.href'), url)
  } finally {
    await server.stop()
  }
})

// windows lists the sockets that a window listens at.
function windows(own) {
  return readdirSync(own.dir, { recursive: true }).filter((name) => /window[^/]*\.sock|\.sock$/.test(name))
}

// addressOf reads the address of the session bus that a window has.
async function addressOf(run) {
  for (const pid of readdirSync('/proc').filter((p) => /^\d+$/.test(p))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(programs.window)) continue
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) !== run.child.pid) continue
      const env = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      return env
        .find((v) => v.startsWith('DBUS_SESSION_BUS_ADDRESS='))
        ?.slice('DBUS_SESSION_BUS_ADDRESS='.length)
    } catch {
      // It ended meanwhile.
    }
  }
  throw new Error('the window is not among the processes')
}
