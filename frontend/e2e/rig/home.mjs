// A home of its own for one run of the app: nothing of the person's machine is
// read or written.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeProject } from './history.mjs'
import { projects as sample } from './sample.mjs'

// makeHome lays out the sample, or the projects given. Its paths are short, since
// those of sockets must be.
export function makeHome(projects = sample) {
  const dir = mkdtempSync(join(tmpdir(), 'rc-'))
  const claude = join(dir, 'claude')
  const roots = {}
  for (const project of projects) roots[project.name] = writeProject(project, join(dir, 'work'), claude)
  const runtime = join(dir, 'run')
  mkdirSync(runtime, { mode: 0o700 })
  mkdirSync(join(claude, 'projects'), { recursive: true })
  return {
    dir,
    roots,
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      USER: process.env.USER ?? 'tester',
      XDG_RUNTIME_DIR: runtime,
      XDG_CONFIG_HOME: join(dir, 'config'),
      XDG_DATA_HOME: join(dir, 'data'),
      XDG_CACHE_HOME: join(dir, 'cache'),
      CLAUDE_CONFIG_DIR: claude,
      RECOLLECT_HOME: join(dir, 'recollect'),
      LANG: process.env.RECOLLECT_E2E_LANG ?? 'C.UTF-8',
    },
    remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  }
}
