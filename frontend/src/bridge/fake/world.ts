import { BridgeProblem } from '../problem'
import type * as t from '../types'
import { findings, hostile, type SectionId, sectionIds, sections, sentences } from './words'

const DAY = 86_400_000

// Bank is the memory of one branch, its versions newest first.
export interface Bank {
  items: t.Item[]
  versions: { id: string; saved: t.Time; items: t.Item[] }[]
}

// World is what the fake program knows. Everything in it is made up.
export class World {
  projects: t.Project[] = []
  branches = new Map<string, t.Branch[]>() // by root
  banks = new Map<string, Bank>() // by root and branch
  proposals: t.Proposal[] = []
  conflicts: t.Conflict[] = []
  undos = new Map<string, () => void>()
  servicePaused = false
  firstRun: boolean
  review = false
  lastError: t.Problem | undefined
  #listeners = new Map<string, Set<(data: never) => void>>()
  #id = 1000

  constructor(readonly options: URLSearchParams) {
    this.firstRun = options.has('first')
    if (options.has('empty')) return
    makeProjects(this)
    if (options.has('first')) this.#forgetEverything()
    if (options.has('error')) {
      this.lastError = {
        code: 'budget',
        message: 'the model budget of today is spent',
        hint: 'Wait until tomorrow, or raise budget.day_dollars in the settings.',
        detail: 'calls 40 of 40, tokens 180211 of 200000',
      }
    }
  }

  get big(): boolean {
    return this.options.has('big')
  }

  now(): t.Time {
    return new Date().toISOString()
  }

  id(prefix: string): string {
    return `${prefix}${(this.#id++).toString(16)}`
  }

  number(): number {
    return this.#id++
  }

  on(event: string, handle: (data: never) => void): () => void {
    const set = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, set.add(handle))
    return () => set.delete(handle)
  }

  emit<E extends keyof t.Events>(event: E, data: t.Events[E]): void {
    for (const handle of this.#listeners.get(event) ?? []) (handle as (d: t.Events[E]) => void)(data)
  }

  changed(root: string, what: t.Events['changed']['what']): void {
    this.emit('changed', { root, what })
  }

  project(root: string): t.Project {
    const found = this.projects.find((p) => p.root === root)
    if (!found) throw new BridgeProblem({ code: 'no_project', message: `no project in ${root || '""'}` })
    return found
  }

  branch(root: string, name: string): t.Branch {
    const found = this.branches.get(root)?.find((b) => b.name === name)
    if (!found) throw new BridgeProblem({ code: 'no_branch', message: `no branch ${name} in this project` })
    return found
  }

  bank(root: string, branch: string): Bank {
    const key = `${root}\n${branch}`
    const bank = this.banks.get(key) ?? { items: [], versions: [] }
    this.banks.set(key, bank)
    return bank
  }

  // save replaces a branch's items, keeps the version before, and gives what
  // undoes it.
  save(root: string, branch: string, items: t.Item[]): string {
    const bank = this.bank(root, branch)
    const before = bank.items
    bank.items = items
    bank.versions = [{ id: this.id('v'), saved: this.now(), items }, ...bank.versions].slice(0, 30)
    const b = this.branches.get(root)?.find((x) => x.name === branch)
    if (b) Object.assign(b, { items: items.length, block_tokens: tokens(items) })
    const undo = this.id('u')
    this.undos.set(undo, () => {
      if (bank.items !== items) {
        throw new BridgeProblem({ code: 'changed', message: 'the memory changed since; nothing was undone' })
      }
      this.save(root, branch, before)
    })
    this.changed(root, 'memory')
    return undo
  }

  newItem(section: string, content: string, extractor: string, confidence = 0.9): t.Item {
    const now = this.now()
    const origin: t.Origin =
      extractor === 'person'
        ? { extractor, time: now }
        : { extractor, source: 'claude-code', session: 's-invoice', records: ['m-2', 'm-3'], time: now }
    return {
      id: this.id('i'),
      section,
      content,
      confidence,
      state: 'active',
      created: now,
      updated: now,
      origins: [origin],
    }
  }

  #forgetEverything(): void {
    for (const p of this.projects) p.memory = false
    for (const list of this.branches.values()) {
      for (const b of list) Object.assign(b, { items: 0, new_turns: b.turns, waiting: 0, block_tokens: -1 })
    }
    this.banks.clear()
    this.proposals = []
    this.conflicts = []
  }
}

export function tokens(items: t.Item[]): number {
  return items.length ? 40 + items.reduce((n, i) => n + Math.ceil(i.content.length / 4), 0) : 0
}

export function ago(days: number): t.Time {
  return new Date(Date.now() - days * DAY).toISOString()
}

type BranchSeed = [name: string, days: number, sessions: number, turns: number, fresh: number, items: number]

const seeds: { name: string; dir: string; assistants: string[]; days: number; branches: BranchSeed[] }[] = [
  {
    name: 'corner-shop',
    dir: '/home/sam/code/corner-shop',
    assistants: ['claude-code', 'puffin'],
    days: 0.02,
    branches: [
      ['main', 0.02, 14, 220, 3, 14],
      ['feature/checkout', 0.4, 9, 131, 24, 9],
      ['feature/search-filters', 2, 6, 77, 0, 7],
      ['fix/rounding', 6, 2, 18, 0, 4],
      ['spike/offline-basket', 19, 3, 41, 41, 0],
      ['chore/\u202egnp.ecalper-ot', 40, 1, 4, 0, 1],
      ['release/2026-autumn-with-a-name-that-is-rather-long-for-a-branch', 55, 1, 2, 2, 0],
    ],
  },
  {
    name: 'todo-garden',
    dir: '/home/sam/code/todo-garden',
    assistants: ['claude-code'],
    days: 1.2,
    branches: [
      ['main', 1.2, 22, 340, 0, 12],
      ['feature/recurring', 3, 4, 52, 11, 5],
    ],
  },
  {
    name: 'weather-lamp',
    dir: '/home/sam/code/weather-lamp',
    assistants: ['claude-code'],
    days: 9,
    branches: [['main', 9, 3, 28, 28, 0]],
  },
  { name: 'recipe-box', dir: '/home/sam/old/recipe-box', assistants: ['puffin'], days: 210, branches: [] },
]

function makeProjects(w: World): void {
  for (const s of seeds) {
    w.projects.push({
      root: s.dir,
      name: s.name,
      exists: s.name !== 'recipe-box',
      memory: s.branches.some((b) => b[5] > 0),
      assistants: s.assistants,
      sessions: s.branches.reduce((n, b) => n + b[2], 0),
      last_active: ago(s.days),
      counts: s.branches.length
        ? {
            new_turns: s.branches.reduce((n, b) => n + b[4], 0),
            items: s.branches.reduce((n, b) => n + b[5], 0),
            review: 0,
            conflicts: 0,
            asked: 0,
          }
        : undefined,
    })
    w.branches.set(
      s.dir,
      s.branches.map(([name, days, sessions, turns, fresh, count], i) => {
        const many = w.big && i === 0 ? 10_000 : count
        const items = makeItems(w, name, many, days)
        const bank = w.bank(s.dir, name)
        bank.items = items
        bank.versions = makeVersions(w, items)
        return {
          name,
          current: i === 0,
          sessions,
          turns,
          new_turns: fresh,
          items: items.length,
          waiting: 0,
          block_tokens: items.length ? tokens(items.slice(0, 20)) : -1,
          last_active: ago(days),
        }
      }),
    )
  }
  if (w.options.has('many')) addMany(w)
  makeProposals(w, seeds[0]?.dir ?? '')
  makeConflicts(w, seeds[0]?.dir ?? '')
}

function addMany(w: World): void {
  for (let i = 0; i < 300; i++) {
    const root = `/home/sam/code/sample-${i}`
    w.projects.push({
      root,
      name: `sample-${i}`,
      exists: true,
      memory: false,
      assistants: ['codex'],
      sessions: i,
    })
    w.branches.set(root, [])
  }
}

function makeItems(w: World, branch: string, count: number, days: number): t.Item[] {
  const out: t.Item[] = []
  for (let i = 0; i < count; i++) {
    const section = sectionIds[i % sectionIds.length] as SectionId
    const pool = sentences[section]
    const round = Math.floor(i / sectionIds.length)
    const base = pool[round % pool.length] ?? ''
    const content = branch.includes('\u202e')
      ? hostile
      : round < pool.length
        ? base
        : `${base} (variant ${round})`
    const item = w.newItem(
      section,
      content,
      i % 5 === 4 ? 'person' : 'dev.recollect.offline',
      0.55 + ((i * 7) % 45) / 100,
    )
    item.created = ago(days + 3 + (i % 60))
    item.updated = ago(days + (i % 20))
    item.pinned = i === 1
    if (i % 3 === 0) item.rationale = 'Said twice, and followed since.'
    out.push(item)
  }
  const order = (i: t.Item) => sectionIds.indexOf(i.section as SectionId)
  return out.sort((a, b) => order(a) - order(b))
}

function makeVersions(w: World, items: t.Item[]): Bank['versions'] {
  if (!items.length) return []
  const cuts = [items.length, items.length - 1, Math.max(1, items.length - 3), Math.ceil(items.length / 2)]
  return [...new Set(cuts)]
    .filter((n) => n > 0)
    .map((n, i) => ({ id: w.id('v'), saved: ago(i * 2.3 + 0.1), items: items.slice(0, n) }))
}

function makeProposals(w: World, root: string): void {
  const branch = 'feature/search-filters'
  const known = w.bank(root, branch).items
  const actions: t.Proposal['action'][] = ['add', 'add', 'update', 'replace', 'remove', 'add']
  w.proposals = actions.map((action, i) => {
    const [section, content] = findings[i] ?? findings[0] ?? ['facts', '']
    const old = known[i]
    const item = action === 'add' ? undefined : old
    return {
      id: w.id('p'),
      branch,
      action,
      section: item?.section ?? section,
      content:
        action === 'remove'
          ? (item?.content ?? content)
          : action === 'update'
            ? `${item?.content} Twice checked.`
            : content,
      before: action === 'update' || action === 'replace' ? item?.content : undefined,
      confidence: 0.6 + i * 0.06,
      rationale: i % 2 ? undefined : 'You asked to remember it.',
      why: action === 'remove' ? 'You said that this is no longer true.' : undefined,
      origins: [
        {
          extractor: 'dev.recollect.offline',
          source: 'claude-code',
          session: 's-invoice',
          records: ['m-3'],
          time: ago(0.3),
        },
      ],
      created: ago(0.3),
    }
  })
  w.branch(root, branch).waiting = w.proposals.length
}

function makeConflicts(w: World, root: string): void {
  const known = w.bank(root, 'main').items
  const side = (content: string, confidence: number, days: number, extractor: string): t.Side => ({
    itemId: known.find((i) => i.content === content)?.id,
    content,
    confidence,
    extractedAt: ago(days),
    origin: { extractor, source: 'claude-code', session: 's-invoice', records: ['m-6'], time: ago(days) },
  })
  const pair: [string, string, string][] = [
    [
      'architectural-decisions',
      sentences['architectural-decisions'][1] ?? '',
      'Production runs on Postgres; SQLite is only for the tests.',
    ],
    [
      'conventions',
      sentences.conventions[0] ?? '',
      'Tests live in the folder `tests/`, one file for each page.',
    ],
  ]
  w.conflicts = pair.map(([category, older, newer], i) => ({
    id: w.id('c'),
    createdAt: ago(i + 1),
    status: 'pending_user_review',
    branch: 'main',
    category,
    why: 'Both speak of the same thing and cannot both hold.',
    items: [side(older, 0.92, 34, 'person'), side(newer, 0.81, i + 1, 'dev.recollect.offline')],
    resolution: { status: 'unresolved' },
  }))
}

export function markdown(branch: string, items: t.Item[]): string {
  const lines = [`# Branch Memory: ${branch}`, '', '> Auto-generated by Recollect', '']
  for (const s of sections) {
    lines.push(`## ${s.heading}`, '')
    const own = items.filter((i) => i.section === s.id)
    lines.push(...(own.length ? own.map((i) => `- ${i.content}`) : ['_No entries yet._']), '')
  }
  return lines.join('\n')
}
