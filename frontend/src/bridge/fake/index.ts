import type { Bridge } from '../bridge'
import { BridgeProblem } from '../problem'
import type * as t from '../types'
import { decideCalls, headOf } from './decide'
import { jobCalls } from './jobs'
import { memoryCalls } from './memory'
import { pluginCalls } from './plugins'
import { settingCalls } from './settings'
import { trustCalls } from './trust'
import { ago, World } from './world'

// fakeBridge plays the program in memory, for tests and for the app in a plain
// browser. Options of the address: fail=CALL,CALL (these calls fail), first (as
// on a first start), empty (no projects), big (a branch of 10,000 items), many
// (300 projects), damage, error, unreadable (a branch's memory can't be read), archived (all
// transcripts are gone), asks=asked|given|changed|many (what the first project asks for), later (settings of a newer program), outcome=failed, fast (no delays), slow.
export function fakeBridge(options: URLSearchParams = new URLSearchParams()): Bridge {
  const w = new World(options)
  const fast = options.has('fast')
  const plugins = pluginCalls(w)
  const status = (root: string) => statusOf(w, root, plugins.list(), jobs)
  const jobs: { running: boolean } = { running: false }
  w.on('job', ((j: t.Job) => {
    jobs.running = j.state === 'running'
  }) as never)
  w.on('ended', (() => {
    jobs.running = false
  }) as never)
  const bridge: Bridge = {
    ...projectCalls(w, status),
    ...jobCalls(w, fast ? 0 : 120, plugins.approve),
    ...memoryCalls(w),
    ...decideCalls(w),
    ...plugins.calls,
    ...settingCalls(w, status),
    ...trustCalls(w),
    on: (event, handle) => w.on(event, handle as (data: never) => void),
  }
  const failing = options.get('fail')?.split(',') ?? []
  const wait = fast ? 0 : options.has('slow') ? 2000 : 60
  for (const [name, call] of Object.entries(bridge)) {
    if (name === 'on') continue
    Object.assign(bridge, { [name]: answering(name, call, failing.includes(name), wait) })
  }
  return bridge
}

type Call = (...args: unknown[]) => Promise<unknown>

function answering(name: string, call: unknown, fails: boolean, wait: number): Call {
  return async (...args) => {
    if (wait) await new Promise((r) => setTimeout(r, wait))
    if (fails) {
      throw new BridgeProblem({
        code: 'failed',
        message: `the call ${name} was told to fail`,
        hint: 'Take fail out of the address.',
        detail: `${name}(${JSON.stringify(args)})`,
      })
    }
    return (call as Call)(...args)
  }
}

type ProjectCalls = Pick<
  Bridge,
  'projects' | 'addProject' | 'branches' | 'firstRun' | 'endFirstRun' | 'asked' | 'status'
>

function projectCalls(w: World, status: (root: string) => t.Status): ProjectCalls {
  return {
    async projects() {
      return structuredClone(w.projects)
    },
    async addProject() {
      const root = '/home/sam/code/bird-notes'
      if (!w.projects.some((p) => p.root === root)) {
        w.projects.push({
          root,
          name: 'bird-notes',
          exists: true,
          memory: false,
          assistants: [],
          sessions: 0,
        })
        w.branches.set(root, [])
      }
      return structuredClone(w.project(root))
    },
    async branches(root) {
      w.project(root)
      const list = structuredClone(w.branches.get(root) ?? [])
      const last = w.options.has('unreadable') ? list.at(-1) : undefined
      if (last) {
        last.problem = {
          code: 'newer',
          message: 'its memory was written by a newer version',
          hint: 'Update Recollect.',
        }
      }
      return list
    },
    async firstRun() {
      const found = w.projects.length > 0
      return {
        needed: w.firstRun,
        assistants: [
          {
            name: 'claude-code',
            found,
            where: '/home/sam/.claude/projects',
            projects: found ? 3 : 0,
            sessions: found ? 64 : 0,
          },
          {
            name: 'puffin',
            found,
            where: '/home/sam/code',
            projects: found ? 2 : 0,
            sessions: found ? 9 : 0,
          },
          { name: 'codex', found: false, where: '/home/sam/.codex/sessions', projects: 0, sessions: 0 },
        ],
      }
    },
    async endFirstRun() {
      w.firstRun = false
    },
    async asked() {
      return {}
    },
    async status(root) {
      return status(root)
    },
  }
}

function statusOf(w: World, root: string, plugins: t.Plugin[], jobs: { running: boolean }): t.Status {
  const branches = w.branches.get(root) ?? []
  const own = root !== '' && root === w.projects[0]?.root
  const s = {
    head: headOf(w, root),
    new_turns: branches.reduce((n, b) => n + b.new_turns, 0),
    review: own ? w.proposals.filter((p) => !p.suggestion).length : 0,
    suggestions: own ? w.proposals.filter((p) => p.suggestion).length : 0,
    conflicts: own ? w.conflicts.filter((c) => c.resolution.status === 'unresolved').length : 0,
    plugins: plugins.filter((p) => p.pending || p.paused).length,
    damage: w.options.has('damage') ? 1 : 0,
    asked: 0,
    trusted: 0,
    unseen: branches.reduce((n, b) => n + (b.unseen ?? 0), 0),
    service: { running: !w.options.has('noservice'), paused: w.servicePaused, version: '0.1.0' },
    maintenance: own ? maintenance() : undefined,
    version: '0.1.0',
    problem: w.lastError,
  }
  if (s.problem) return { ...s, state: 'error', sentence: 'The last run failed.' }
  if (jobs.running) return { ...s, state: 'working', sentence: 'Memorizing.' }
  if (s.review + s.conflicts + s.damage > 0) {
    return {
      ...s,
      state: 'attention',
      sentence: `${s.review} proposals and ${s.conflicts} conflicts wait for you.`,
    }
  }
  return {
    ...s,
    state: 'ready',
    sentence: s.new_turns ? `${s.new_turns} turns are not memorized yet.` : 'Everything is memorized.',
  }
}

function maintenance(): t.Maintenance {
  return {
    enabled: true,
    tasks: [
      { kind: 'nightly', last: ago(0.4), next: ago(-0.6) },
      { kind: 'weekly', last: ago(3), next: ago(-4) },
      { kind: 'monthly', next: ago(-12) },
    ],
    results: [],
  }
}
