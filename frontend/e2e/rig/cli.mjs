// The command-line program, as a person would use it beside the window.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programs } from './app.mjs'
import { writeSessions } from './history.mjs'
import { contradiction } from './sample.mjs'

// recollect runs a command in a project and gives what it printed.
export function recollect(home, project, ...args) {
  return execFileSync(programs.cli, args, { cwd: home.roots[project], env: home.env, encoding: 'utf8' })
}

// memorized brings everything into memory but the project that stays untouched.
export function memorized(home) {
  for (const project of Object.keys(home.roots)) {
    if (project !== 'almanac') recollect(home, project, 'memorize', '--all')
  }
}

// memoryFile is the file with the memory of a project's branch main.
export function memoryFile(home, project) {
  return join(home.roots[project], '.recollect', 'branches', 'main.md')
}

// proposed lets what is found in a project wait for review.
export function proposed(home, project) {
  recollect(home, project, 'config', 'set', 'review.enabled', 'true')
  recollect(home, project, 'memorize', '--all')
}

// contradicted has a person write an item that a later session contradicts.
export function contradicted(home, project) {
  recollect(home, project, 'memorize', '--branch', 'main')
  const path = memoryFile(home, project)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('## Conventions\n', `## Conventions\n\n- ${contradiction.mine}\n`))
  recollect(home, project, 'show', '--branch', 'main')
  writeSessions(home, project, [contradiction.session])
  recollect(home, project, 'memorize', '--branch', 'main')
}

// everything is a home in which every screen has something to show.
export function everything(home) {
  contradicted(home, 'harbour')
  recollect(home, 'harbour', 'memorize', '--all')
  recollect(home, 'harbour', 'inject', '--branch', 'main')
  proposed(home, 'greenhouse')
}
