// Starts the real programs on a screen of their own.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const bin = join(fileURLToPath(new URL('../../../build/bin/', import.meta.url)))

export const programs = {
  dev: join(bin, 'Recollect-dev'),
  window: join(bin, 'Recollect'),
  cli: join(bin, 'recollect'),
}

// freePort asks the system for a port that nobody listens at.
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

// until asks again and again for what is not there yet.
export async function until(what, ask, seconds = 30) {
  const end = Date.now() + seconds * 1000
  let last
  while (Date.now() < end) {
    try {
      const got = await ask()
      if (got) return got
    } catch (err) {
      last = err
    }
    await sleep(100)
  }
  throw new Error(`waited ${seconds} s for ${what}${last ? `: ${last.message}` : ''}`)
}

// startScreen starts an X server without a monitor. more are further arguments.
export function startScreen(more = []) {
  const args = [...more, '-displayfd', '3', '-noreset', '-screen', '0', '1280x800x24', '-nolisten', 'tcp']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  return new Promise((resolve, reject) => {
    let said = ''
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)))
    server.stdio[3].on('data', (data) => {
      said += data
      if (said.includes('\n')) resolve({ display: `:${said.trim()}`, stop: () => stop(server) })
    })
  })
}

// stop ends a process that was started here, with its children if it leads a
// group of its own, and waits until it is gone.
async function stop(child, group = false) {
  const gone = () => child.exitCode !== null || child.signalCode !== null
  const kill = (signal) => {
    try {
      process.kill(group ? -child.pid : child.pid, signal)
    } catch {
      // It was gone already.
    }
  }
  kill('SIGTERM')
  for (let i = 0; i < 50 && !gone(); i++) await sleep(100)
  kill('SIGKILL')
}

// launch starts a program in a session bus of its own and collects what it says.
// bus is the address of one that runs already; null: there is none.
// input is what it reads.
export function launch(program, args, env, bus, input) {
  if (!existsSync(program)) throw new Error(`${program} is not built: go run ./build desktop`)
  const command = bus === undefined ? ['dbus-run-session', '--', program, ...args] : [program, ...args]
  const all = { ...env, NO_AT_BRIDGE: '1', GDK_BACKEND: 'x11' }
  if (bus) all.DBUS_SESSION_BUS_ADDRESS = bus
  const child = spawn(command[0], command.slice(1), {
    env: all,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {}) // it did not read all
  child.stdin.end(input)
  const run = { child, said: '', code: null, stop: () => stop(child, true) }
  const collect = (data) => {
    run.said += data
    if (run.said.length > 1 << 20) run.said = run.said.slice(-(1 << 19))
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  child.once('error', (err) => {
    run.said += err.message
  })
  run.ended = new Promise((resolve) => {
    child.once('close', (code, signal) => {
      run.code = code ?? signal
      resolve(run.code)
    })
  })
  return run
}

// startBackend starts the window for tests, which also serves its page at a port.
export async function startBackend(home, screen, args = []) {
  const port = await freePort()
  const env = {
    ...home.env,
    DISPLAY: screen.display,
    devserver: `localhost:${port}`,
    loglevel: 'warning',
    RECOLLECT_E2E: '1',
  }
  const run = launch(programs.dev, args, env)
  const url = `http://localhost:${port}/`
  try {
    await until('the backend', async () => {
      if (run.code !== null) throw new Error('it ended')
      return (await fetch(url, { signal: AbortSignal.timeout(5000) })).ok
    })
  } catch (err) {
    await run.stop()
    throw new Error(`${err.message}\n${run.said}`)
  }
  return { ...run, run, url }
}
