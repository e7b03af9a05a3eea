// Measures the window and the service as a person has them, and prints a row of a
// Markdown table for each figure. Run by `go run ./build bench -only desktop`.
import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch, programs, startScreen, until } from './rig/app.mjs'
import { makeHome } from './rig/home.mjs'
import { startWindow } from './rig/inspector.mjs'
import { manySessions, projects } from './rig/sample.mjs'

const starts = 10
const idle = 10 // seconds
// The window gives memory back some twenty seconds after its last call.
const settled = 25 // seconds

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]

function row(what, unit, list, goal) {
  const say = (n) => `${unit === 'ms' ? Math.round(n) : n.toFixed(1)} ${unit}`
  console.log(
    `| ${what} | ${say(median(list))} | ${say(Math.min(...list))} | ${say(Math.max(...list))} | ${list.length} | ${goal} |`,
  )
}

// group lists the processes of a process group.
function group(leader) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === leader
      } catch {
        return false // it ended meanwhile
      }
    })
}

// pss gives the memory of processes in MB: shared pages count by their share.
function pss(pids) {
  let kb = 0
  for (const pid of pids)
    kb += Number(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').match(/^Pss:\s+(\d+)/m)[1])
  return kb / 1000
}

function rss(pid) {
  return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)[1]) / 1000
}

// cpu gives the CPU time of processes in ms.
function cpu(pids) {
  let ticks = 0
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += Number(words[11]) + Number(words[12])
  }
  return ticks * 10
}

const page = {
  painted: `(() => {
    const p = performance.getEntriesByType('paint').find((e) => e.name === 'first-contentful-paint')
    return p ? performance.timeOrigin + p.startTime : 0
  })()`,
  shown: `document.querySelector('main h1, main h2') ? performance.timeOrigin + performance.now() : 0`,
}

async function measureWindow(home, screen, bus) {
  const paints = []
  const memory = []
  const busy = []
  for (let i = 0; i < starts; i++) {
    const begun = Date.now()
    const w = await startWindow(home, screen, [], bus)
    try {
      paints.push((await until('the first paint', () => w.page.evaluate(page.painted))) - begun)
      await until('the screen', () => w.page.evaluate(page.shown))
      if (i % 5 !== 0) continue
      w.page.close()
      await sleep(settled * 1000)
      const pids = group(w.run.child.pid)
      const before = cpu(pids)
      await sleep(idle * 1000)
      busy.push(cpu(pids) - before)
      memory.push(pss(pids))
    } finally {
      await w.stop()
    }
  }
  row('window: first paint after the program was started', 'ms', paints, '1,200 ms')
  row('window, idle: memory of all its processes (PSS)', 'MB', memory, '260 MB')
  row(`window, idle: CPU time in ${idle} s`, 'ms', busy, '')
}

async function measureOpen(home, screen, bus, root) {
  const w = await startWindow(home, screen, [], bus)
  try {
    await until('the bridge', () => w.page.evaluate(`Boolean(window.go?.app?.Bridge)`))
    const ask = async () => {
      await w.page.evaluate(`(() => {
        const begun = performance.now()
        window.took = 0
        window.go.app.Bridge.Branches(${JSON.stringify(root)}).then(() => { window.took = performance.now() - begun })
      })()`)
      return until('the branches', () => w.page.evaluate('window.took'), 120)
    }
    row('window: a project with 1,000 sessions opened, first time', 'ms', [await ask()], '')
    const warm = []
    for (let i = 0; i < starts; i++) warm.push(await ask())
    row('window: the same, warm', 'ms', warm, '300 ms')
  } finally {
    await w.stop()
  }
}

async function measureService(home, screen, bus) {
  const run = launch(programs.cli, ['service', 'run'], { ...home.env, DISPLAY: screen.display }, bus)
  try {
    await sleep(idle * 1000)
    if (run.code !== null) throw new Error(`the service ended with ${run.code}\n${run.said}`)
    const pids = group(run.child.pid)
    const before = cpu(pids)
    await sleep(idle * 1000)
    row('service, idle: resident memory', 'MB', [rss(run.child.pid)], '25 MB')
    row('service, idle: memory (PSS)', 'MB', [pss(pids)], '')
    row(`service, idle: CPU time in ${idle} s`, 'ms', [cpu(pids) - before], '0 ms')
  } finally {
    await run.stop()
  }
}

if (!process.env.DBUS_SESSION_BUS_ADDRESS || process.env.RECOLLECT_MEASURE !== 'bus') {
  const again = spawn(
    'dbus-run-session',
    ['--', process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    {
      stdio: 'inherit',
      env: { ...process.env, RECOLLECT_MEASURE: 'bus' },
    },
  )
  again.on('close', (code) => process.exit(code ?? 1))
} else {
  const bus = process.env.DBUS_SESSION_BUS_ADDRESS
  const screen = await startScreen()
  const home = makeHome([...projects, manySessions(1000)])
  try {
    for (const project of projects) {
      execFileSync(programs.cli, ['memorize', '--all'], {
        cwd: home.roots[project.name],
        env: home.env,
        stdio: 'ignore',
      })
    }
    console.log('| what | median | best | worst | runs | goal |\n| --- | --- | --- | --- | --- | --- |')
    await measureWindow(home, screen, bus)
    await measureOpen(home, screen, bus, home.roots.thousand)
    await measureService(home, screen, bus)
  } finally {
    home.remove()
    await screen.stop()
  }
}
