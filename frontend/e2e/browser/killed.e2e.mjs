// A window that is killed in the middle of its work leaves nothing half done, and
// the next one goes on.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startBackend, until } from '../rig/app.mjs'
import { open, rig } from '../rig/browser.mjs'
import { memoryFile, recollect } from '../rig/cli.mjs'

let r
before(async () => {
  r = await rig()
})
after(() => r?.stop())

const ask = (page, method, ...args) =>
  page.evaluate(([m, a]) => window.go.app.Bridge[m](...a), [method, args])

test('killed while it memorizes', async () => {
  const root = r.home.roots.harbour
  const { page, close } = await r.open()
  await ask(page, 'Memorize', root, { branches: [] })
  await until('the work to begin', async () => (await ask(page, 'Jobs')).some((j) => j.state === 'running'))
  process.kill(-r.backend.child.pid, 'SIGKILL')
  await r.backend.ended
  await close()

  const branches = join(root, '.recollect', 'branches')
  for (const name of existsSync(branches) ? readdirSync(branches).filter((n) => n.endsWith('.md')) : []) {
    assert.match(readFileSync(join(branches, name), 'utf8'), /^# Branch Memory: .*\n/)
  }
  recollect(r.home, 'harbour', 'doctor') // throws unless it exits with 0

  const again = await startBackend(r.home, r.screen)
  try {
    const next = await open(r.browser, again.url)
    assert.deepEqual(await ask(next.page, 'Jobs'), [])
    const id = await ask(next.page, 'Memorize', root, { branches: ['main'] })
    const job = await until(
      'the work to end',
      async () => (await ask(next.page, 'Jobs')).find((j) => j.id === id && /done|failed/.test(j.state)),
      120,
    )
    assert.equal(job.state, 'done', JSON.stringify(job.problem))
    assert.match(readFileSync(memoryFile(r.home, 'harbour'), 'utf8'), /whole cents/)
    await next.close()
  } finally {
    await again.stop()
  }
})
