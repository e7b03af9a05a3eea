// A person's session of its own: a home, a screen and a bus, and the programs
// that are started in them.
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { launch, programs, startScreen, until } from './app.mjs'
import { makeHome } from './home.mjs'
import { startWindow } from './inspector.mjs'

const run = promisify(execFile)

// What the bus allows is what every session's does. It starts nothing by itself
// unless asked to: what runs is what the test started.
const busConfig = (
  services,
) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/nowhere</listen>
  <servicedir>${services}</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

// startSession starts what a log-in starts. options.projects are those of the
// home, options.services are the names that the bus may start programs for,
// options.screen gives arguments of the X server.
export async function startSession(options = {}) {
  const stops = []
  const home = makeHome(options.projects)
  open.add(home)
  home.env.TMPDIR = join(home.dir, 'tmp')
  mkdirSync(home.env.TMPDIR)
  const session = {
    home,
    screen: undefined,
    bus: null,
    // start starts a program that ends with the session. input is what it reads.
    start(program, args = [], input = '') {
      const started = launch(found(program) ?? program, args, session.env, session.bus, input)
      stops.push(() => started.stop())
      return started
    },
    // window starts the window and attaches to its page.
    async window(args = []) {
      const w = await startWindow(home, session.screen, args, session.bus)
      stops.push(() => w.stop())
      return w
    },
    // run runs a program to its end and gives what it printed.
    async run(program, args, extra = {}) {
      const { stdout } = await run(program, args, {
        cwd: home.dir,
        env: session.env,
        timeout: 120_000,
        ...extra,
      })
      return stdout
    },
    recollect: (...args) => session.run(programs.cli, args),
    // service starts the background service and waits until it answers.
    async service(...args) {
      const started = session.start(programs.cli, ['service', 'run', ...args])
      await until('the service', async () => {
        if (started.code !== null) throw new Error(`it ended with ${started.code}: ${started.said}`)
        const status = JSON.parse(await session.recollect('service', 'status', '--json'))
        return status.pid === started.child.pid
      })
      return started
    },
    // dropBus ends the bus; what starts from now on has the address of one that is
    // not there.
    dropBus: () => session.daemon.stop(),
    end: () => end(home, stops),
  }
  try {
    session.env = { ...home.env, NO_AT_BRIDGE: '1', GDK_BACKEND: 'x11', GIO_USE_VFS: 'local' }
    session.screen = await startScreen(options.screen?.(home))
    stops.push(() => session.screen.stop())
    session.env.DISPLAY = session.screen.display
    session.bus = await startBus(session, options.services)
    session.env.DBUS_SESSION_BUS_ADDRESS = session.bus
  } catch (err) {
    await end(home, stops).catch(() => {})
    throw err
  }
  return session
}

async function startBus(session, services) {
  const file = join(session.home.dir, 'bus.conf')
  const socket = join(session.home.env.XDG_RUNTIME_DIR, 'bus')
  const installed = join(session.home.dir, 'services')
  mkdirSync(installed)
  for (const name of services ?? []) {
    copyFileSync(`/usr/share/dbus-1/services/${name}.service`, join(installed, `${name}.service`))
  }
  writeFileSync(file, busConfig(installed))
  const args = ['--nofork', `--config-file=${file}`, `--address=unix:path=${socket}`]
  const daemon = session.start('dbus-daemon', args)
  session.daemon = daemon
  await until('the bus', () => {
    if (daemon.code !== null) throw new Error(`it ended with ${daemon.code}: ${daemon.said}`)
    return existsSync(socket)
  })
  return `unix:path=${socket}`
}

// A test that takes too long is told to end: nothing of its sessions is left then.
const open = new Set()
process.once('SIGTERM', () => {
  for (const home of open) {
    for (const p of processesOf(home)) kill(p.pid, 'SIGKILL')
    home.remove()
  }
  process.exit(143)
})

// end stops everything, the latest first, and says what was left behind.
async function end(home, stops) {
  for (const stop of stops.reverse()) await stop()
  const left = []
  await until('the end of all processes', () => processesOf(home).length === 0, 15).catch(() => {
    for (const p of processesOf(home)) {
      left.push(`process ${p.pid}: ${p.command}`)
      kill(p.pid, 'SIGKILL')
    }
  })
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    if (line.includes(home.dir)) left.push(`mount: ${line}`)
  }
  for (const line of readFileSync('/proc/net/unix', 'utf8').split('\n')) {
    if (line.includes(home.dir)) left.push(`socket: ${line}`)
  }
  for (const name of readdirSync(home.env.TMPDIR)) left.push(`in the folder for what is temporary: ${name}`)
  home.remove()
  open.delete(home)
  if (left.length) throw new Error(`left behind:\n${left.join('\n')}`)
}

// processesOf lists the processes that were started in a home, whoever their
// parent is now.
export function processesOf(home) {
  const found = []
  for (const pid of readdirSync('/proc').filter((p) => /^\d+$/.test(p))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home.dir}`)) continue
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      found.push({ pid: Number(pid), command })
    } catch {
      // It ended meanwhile, or is another person's.
    }
  }
  return found
}

// found gives the path of a program; undefined: it is not on this machine.
export function found(name) {
  if (name.includes('/')) return name
  return process.env.PATH.split(':')
    .map((dir) => join(dir, name))
    .find((path) => existsSync(path))
}

// lacking says why a test is left out; false: it is not. Nothing is left out in
// CI.
export function lacking(...names) {
  const missing = names.filter((name) => !found(name))
  return missing.length > 0 && !process.env.CI && `needs ${missing.join(', ')}`
}

// kill sends a signal to a process that may be gone already.
export function kill(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // It was gone.
  }
}
