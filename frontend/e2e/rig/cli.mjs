// The command-line program, as a person would use it beside the window.
import { execFileSync } from 'node:child_process'
import { programs } from './app.mjs'

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
