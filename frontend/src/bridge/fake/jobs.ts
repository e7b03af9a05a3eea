import type { Bridge } from '../bridge'
import type * as t from '../types'
import { findings } from './words'
import type { World } from './world'

const STEPS = ['read', 'extract', 'merge', 'save']

type JobCalls = Pick<
  Bridge,
  'memorize' | 'try' | 'approvePlugin' | 'runMaintenance' | 'jobs' | 'cancelJob' | 'dismissJob'
>

// jobCalls runs jobs one after the other, as the program does.
export function jobCalls(w: World, tick: number, approve: (root: string, id: string) => void): JobCalls {
  const ticks = tick ? 6 : 1 // of each step
  let list: t.Job[] = []
  const cancelled = new Set<number>()
  let last: Promise<void> = Promise.resolve()

  const put = (job: t.Job, event: 'job' | 'ended') => {
    list = list.map((j) => (j.id === job.id ? job : j))
    w.emit(event, structuredClone(job))
  }

  function start(
    root: string,
    kind: t.Job['kind'],
    branches: string[],
    done: (branch: string, job: t.Job) => void,
  ): number {
    const job: t.Job = {
      id: w.number(),
      by: 'window',
      root,
      project: w.project(root).name,
      kind,
      state: 'waiting',
      number: 0,
      branches: branches.length,
      done: 0,
      total: 0,
    }
    list = [...list, job]
    w.emit('job', structuredClone(job))
    last = last.then(() => run(job, branches, done))
    return job.id
  }

  async function run(
    first: t.Job,
    branches: string[],
    done: (branch: string, job: t.Job) => void,
  ): Promise<void> {
    let job: t.Job = { ...first, state: 'running', started: w.now() }
    for (const [i, branch] of branches.entries()) {
      for (const step of job.kind === 'approve' ? ['compile'] : STEPS) {
        for (let n = 0; n < ticks; n++) {
          if (cancelled.has(job.id)) {
            put({ ...job, state: 'cancelled', ended: w.now() }, 'ended')
            return
          }
          job = {
            ...job,
            branch,
            number: i + 1,
            step,
            done: n * 20,
            total: ticks * 20,
            plugin: 'dev.recollect.offline',
          }
          put(job, 'job')
          await new Promise((r) => setTimeout(r, tick))
        }
      }
      done(branch, job)
    }
    put({ ...job, state: job.problem ? 'failed' : 'done', ended: w.now() }, 'ended')
  }

  return {
    async memorize(root, request) {
      const all = w.branches.get(root)?.map((b) => b.name) ?? []
      const names = request.branches.length ? request.branches : all
      for (const name of names) w.branch(root, name)
      return start(root, request.preview ? 'preview' : 'memorize', names, (branch, job) => {
        job.reports = [...(job.reports ?? []), memorize(w, root, branch, request)]
      })
    },
    async try(root, branch, extractor) {
      return start(root, 'try', [branch], (_, job) => {
        job.tried = tried(w, root, branch, extractor)
      })
    },
    async approvePlugin(root, id) {
      return start(root, 'approve', [''], () => approve(root, id))
    },
    async runMaintenance(root) {
      return start(root, 'maintain', w.branches.get(root)?.map((b) => b.name) ?? [], (_, job) => {
        job.maintained = maintained
      })
    },
    async jobs() {
      return structuredClone(list)
    },
    async cancelJob(id) {
      cancelled.add(id)
    },
    async dismissJob(id) {
      list = list.filter((j) => j.id !== id)
    },
  }
}

const maintained: t.Job['maintained'] = {
  outcome: 'done',
  parts: [
    {
      kind: 'nightly',
      name: 'tidy',
      outcome: 'done',
      words: '4 memories: 2 duplicates merged, 0 new contradictions',
    },
    { kind: 'weekly', name: 'pack', outcome: 'nothing', words: '0 old items and 0 old versions packed' },
    { kind: 'monthly', name: 'check', outcome: 'done', words: '4 memories checked, 1 finding, 1 mended' },
  ],
}

// What previews would add, by id.
const previewed = new Map<string, string>()

function memorize(w: World, root: string, branch: string, request: t.MemorizeRequest): t.BranchReport {
  const b = w.branch(root, branch)
  const report: t.BranchReport = {
    branch,
    outcome: 'unchanged',
    new_turns: b.new_turns,
    items: b.items,
    found: 0,
    redacted: 0,
    duration_ns: 420e6,
  }
  if (w.options.get('outcome') === 'failed') {
    const problem = {
      code: 'busy',
      message: 'another program works on this project',
      hint: 'Wait a moment and try again.',
    }
    return { ...report, outcome: 'failed', problem }
  }
  if (!b.new_turns && !request.again) return report
  if (b.turns < 3) return { ...report, outcome: 'skipped', reason: 'there is too little in it to learn from' }
  const items = w.bank(root, branch).items
  const fresh = findings.filter(([, c]) => !items.some((i) => i.content === c)).slice(0, items.length ? 2 : 5)
  if (!request.preview) b.new_turns = 0
  if (!fresh.length) return { ...report, outcome: 'empty' }
  const unwanted = (request.unwanted?.[branch] ?? []).map((id) => previewed.get(id))
  const wanted = fresh.filter(([, c]) => !unwanted.includes(c))
  const added = wanted.map(([section, content]) => w.newItem(section, content, 'dev.recollect.offline', 0.8))
  report.found = added.length
  report.redacted = 1
  report.changes = added.map((i) => ({ action: 'added', id: i.id, section: i.section, content: i.content }))
  report.rejected = [
    { extractor: 'dev.recollect.offline', content: 'Ok, thanks!', reason: 'too short to be of use' },
  ]
  report.outcome = 'memorized'
  for (const i of added) if (request.preview) previewed.set(i.id, i.content)
  if (request.preview) return report
  if (w.review) {
    report.outcome = 'proposed'
    w.proposals.push(
      ...added.map((i) => ({ ...i, id: w.id('p'), branch, action: 'add' as const, created: w.now() })),
    )
    b.waiting += added.length
    w.changed(root, 'review')
    return report
  }
  w.project(root).memory = true
  w.save(root, branch, [...items, ...added])
  report.items = b.items
  return report
}

function tried(w: World, root: string, branch: string, extractor: string): t.Tried {
  const items = w.bank(root, branch).items
  const origin = { extractor, source: 'claude-code', session: 's-invoice', records: ['m-3'], time: w.now() }
  const known = items.slice(0, 4).map((i) => ({
    section: i.section,
    content: i.content,
    confidence: i.confidence,
    origin,
    known: i.id,
  }))
  const fresh = findings.map(([section, content], n) => ({
    section,
    content,
    confidence: 0.5 + n * 0.08,
    rationale: n % 2 ? undefined : 'It was said as a rule.',
    origin,
    rejected: n === 5 ? 'a section of that name is not in the schema' : undefined,
  }))
  const model = extractor.includes('model')
  return {
    branch,
    extractor,
    items: [...known, ...(model ? fresh : fresh.slice(0, 3))],
    unread: model ? 12 : 0,
    warnings: model ? ['the last 12 turns did not fit into the budget'] : undefined,
    log: [{ time: w.now(), level: 'info', text: `read 131 turns of ${branch}` }],
    took_ns: model ? 8.4e9 : 310e6,
    memory_bytes: 6_500_000,
    model_calls: model ? 3 : 0,
    tokens: model ? 14_300 : 0,
  }
}
