// The window together with the background service: both as people get them.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { freePort, programs, until } from '../rig/app.mjs'
import { attachTo } from '../rig/inspector.mjs'
import { manySessions, projects } from '../rig/sample.mjs'
import { kill, lacking, processesOf, startSession } from '../rig/session.mjs'
import { trayOf } from '../rig/tray.mjs'

let session
let service
let tray
let w

describe('the window and the service', { skip: lacking('gdbus') }, () => {
  before(async () => {
    session = await startSession({ projects: [...projects, manySessions(600)] })
    await session.recollect('-p', session.home.roots.greenhouse, 'memorize', '--all') // so that this is no first run
    await startService()
    w = await session.window(['-project', session.home.roots.harbour, '-screen', 'memory'])
  })
  after(async () => {
    await session?.end()
  })

  async function startService() {
    service = await session.service()
    tray = trayOf(session, service.child.pid)
  }

  test('the first start shows what it was asked for', async () => {
    await w.page.has('Nothing is remembered of main yet')
    assert.equal(await screenOf(w.page), 'Memory')
    assert.equal(await projectOf(w.page), 'harbour')
    await mark(w.page)
  })

  test('what the service memorizes is seen as it happens, and then in every screen', async () => {
    await record(w.page)
    await choose('harbour')
    await w.page.has('Money is always counted in whole cents', 120)
    await until('the end of the job', async () => /^Ready|^Attention/.test(await footer(w.page)))
    const seen = await recorded(w.page)
    assert.ok(
      seen.some((s) => /^Working\s+Memorizing \S/.test(s)),
      `the status bar said ${JSON.stringify(seen)}`,
    )
    await w.page.click('nav button', 'Projects')
    await until('the items of main', async () =>
      /\bmain\b[\s\S]*?\b[1-9]\d* items?\b/.test(await mainText(w.page)),
    )
    assert.doesNotMatch(await mainText(w.page), /nothing remembered/)
    assert.ok(await marked(w.page), 'the page was loaded again')
  })

  test('a pause is the same in the window and in the tray', async () => {
    await w.page.click('nav button', 'Settings')
    await w.page.has('It runs.')
    await w.page.click('main button', 'Pause')
    await until('Resume in the tray', async () => (await tray.labels()).includes('Resume background work'))
    await w.page.has('It runs, and is paused')
    assert.ok(await tray.choose('Resume background work'))
    await w.page.has('It runs.')
    await until('Pause in the tray', async () => (await tray.labels()).includes('Pause background work'))
    assert.ok(await tray.choose('Pause background work'))
    await w.page.has('It runs, and is paused')
    await w.page.click('main button', 'Resume')
    await until('Pause in the tray', async () => (await tray.labels()).includes('Pause background work'))
  })

  test('a job of the service is cancelled from the window', async () => {
    await choose('thousand')
    await until('the job', async () => /Memorizing/.test(await footer(w.page)))
    await w.page.click('footer button', 'Cancel: Memorizing')
    await until('the end of the job', async () => !/Working/.test(await footer(w.page)))
    const status = JSON.parse(await session.recollect('service', 'status', '--json'))
    assert.equal(status.last[0].state, 'cancelled')
  })

  test('a service that is killed at work leaves a window that works', async () => {
    await choose('thousand')
    await until('the job', async () => /Memorizing/.test(await footer(w.page)))
    kill(service.child.pid, 'SIGKILL')
    await w.page.has('It does not run.', 20)
    await until('the end of the job', async () => !/Working/.test(await footer(w.page)), 20)
    const other = await again('-project', session.home.roots.almanac, '-screen', 'memory')
    assert.equal(other.code, 0, other.said)
    await w.page.click('main button', 'Memorize main')
    await w.page.has('Always print a dash and never an empty cell', 120)
    assert.ok(await marked(w.page), 'the page was loaded again')
  })

  test('a service that comes back is noticed, with its jobs', async () => {
    await w.page.click('nav button', 'Settings')
    await w.page.has('It does not run.')
    await startService()
    await w.page.has('It runs.', 20)
    await record(w.page)
    await choose('greenhouse')
    await until('the job', async () => (await recorded(w.page)).some((s) => /Memorizing/.test(s)))
    await until('the end of the job', async () => !/Working/.test(await footer(w.page)))
  })

  test('a second service ends with 0, and the first goes on', async () => {
    const second = session.start(programs.cli, ['service', 'run'])
    assert.equal(await second.ended, 0, second.said)
    assert.match(second.said, /runs already/)
    const status = JSON.parse(await session.recollect('service', 'status', '--json'))
    assert.equal(status.pid, service.child.pid)
  })

  test('a second window has the first show what it was asked for', async () => {
    const second = await again('-screen', 'dashboard', '-project', session.home.roots.greenhouse)
    assert.equal(second.code, 0, second.said)
    await shows(w.page, 'Dashboard', 'greenhouse')
    assert.match(
      await session.recollect('-p', session.home.roots.harbour, 'open', '--screen', 'injection'),
      new RegExp(`brought forward \\(process ${w.run.child.pid}\\)`),
    )
    await shows(w.page, 'Injection', 'harbour')
    assert.ok(await marked(w.page), 'the page was loaded again')
  })

  test('open starts the window where there is none', async () => {
    await w.stop()
    await until('the end of the window', () => windows().length === 0)
    const address = `127.0.0.1:${await freePort()}`
    const env = { ...session.env, RECOLLECT_E2E: '1', WEBKIT_INSPECTOR_HTTP_SERVER: address }
    const args = ['-p', session.home.roots.greenhouse, 'open', '--screen', 'dashboard', '--json']
    const opened = JSON.parse(await session.run(programs.cli, args, { env }))
    try {
      assert.equal(opened.started, true)
      const page = await attachTo(address)
      await shows(page, 'Dashboard', 'greenhouse')
      assert.deepEqual(page.errors, [])
      page.close()
    } finally {
      kill(opened.pid, 'SIGTERM')
    }
    await until('the end of the window', () => windows().length === 0)
  })

  test('the tray starts the window where there is none', async () => {
    assert.deepEqual([...windows(), ...sockets()], [])
    assert.ok(await tray.choose('Open Recollect'))
    await until('a window that listens', () => sockets().length > 0)
    const opened = JSON.parse(await session.recollect('open', '--json'))
    try {
      assert.equal(opened.started, false)
    } finally {
      kill(opened.pid, 'SIGTERM')
    }
    await until('the end of the window', () => windows().length === 0)
  })

  test('nothing was put on the console', () => assert.deepEqual(w.page.errors, []))
})

// choose has the tray memorize one of the recent projects.
async function choose(project) {
  await until(`${project} in the tray`, () => tray.choose(new RegExp(`^Memorize ${project}( \\(|$)`)))
}

// again starts the window once more and waits for its end.
async function again(...args) {
  const second = session.start(programs.window, args)
  await second.ended
  return second
}

const windows = () => processesOf(session.home).filter((p) => p.command.startsWith(programs.window))

const sockets = () =>
  readdirSync(session.home.dir, { recursive: true }).filter((name) => /window[^/]*\.sock$/.test(name))

const footer = (page) => page.evaluate(`document.querySelector('footer').innerText.trim()`)
const mainText = (page) => page.evaluate(`document.querySelector('main').innerText`)
const screenOf = (page) =>
  page.evaluate(`document.querySelector('nav [aria-current=page] .name')?.innerText.trim()`)
const projectOf = (page) => page.evaluate(`document.querySelector('header input')?.value`)

function shows(page, screen, project) {
  return until(`${screen} of ${project}`, async () => {
    const [s, p] = [await screenOf(page), await projectOf(page)]
    if (s !== screen || p !== project) throw new Error(`it shows ${s} of ${p}`)
    return true
  })
}

// A page that is loaded again has lost its mark.
const mark = (page) => page.evaluate('void (window.marked = true)')
const marked = (page) => page.evaluate('window.marked === true')

// record keeps all that the status bar says from now on.
const record = (page) =>
  page.evaluate(`(() => {
    window.said = []
    window.observer?.disconnect()
    const bar = document.querySelector('footer')
    window.observer = new MutationObserver(() => window.said.push(bar.innerText.trim()))
    window.observer.observe(bar, { subtree: true, childList: true, characterData: true })
  })()`)
const recorded = (page) => page.evaluate('window.said')
