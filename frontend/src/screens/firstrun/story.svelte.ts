import { SvelteSet } from 'svelte/reactivity'
import {
  asProblem,
  type BranchReport,
  type BridgeProblem,
  type Injection,
  type Job,
  BridgeProblem as ProblemClass,
} from '../../bridge'
import { plain } from '../../format/untrusted'
import type { App } from '../../state/app.svelte'

export const stepNames = ['welcome', 'choose', 'model', 'look', 'write', 'done'] as const
export type StepName = (typeof stepNames)[number]

// The extractor that needs no model.
const OFFLINE = 'dev.recollect.offline'

// Story is the first run: where it is, and what its steps have found.
export class Story {
  step = $state<StepName>('welcome')
  root = $state('')
  // Of the step model: the way that was chosen; "none" is offline.
  way = $state('none')
  // Of the step look: the job that reads, then the one that memorizes.
  jobId = $state<number>()
  reports = $state.raw<BranchReport[]>()
  // What would be added and is not wanted, by place: the branch and the item's id.
  readonly unwanted = new SvelteSet<string>()
  problem = $state.raw<BridgeProblem>()
  // Of the step write.
  injection = $state.raw<Injection>()
  busy = $state(false)
  #run = 0

  constructor(readonly app: App) {
    this.root = app.root
  }

  get job(): Job | undefined {
    return this.app.jobs.get(this.jobId)
  }

  get project() {
    return this.app.projects.value?.find((p) => p.root === this.root)
  }

  go(step: StepName): void {
    this.#run++
    this.problem = undefined
    this.busy = false
    this.step = step
  }

  // look reads the project offline, whoever was chosen: it costs nothing, and writes
  // nothing.
  async look(): Promise<void> {
    this.go('look')
    this.reports = undefined
    this.unwanted.clear()
    const job = await this.#finish({ branches: [], preview: true, extractors: [OFFLINE] })
    if (job) this.reports = job.reports ?? []
  }

  // memorize does what was looked at, or has the chosen model do it, and prepares
  // what could be written.
  async memorize(): Promise<void> {
    const offline = this.way === 'none'
    const job = await this.#finish(
      offline
        ? { branches: [], extractors: [OFFLINE], unwanted: this.#unwantedByBranch() }
        : { branches: [], extractors: [] },
    )
    if (!job) return
    const said = job.reports?.flatMap((r) => r.warnings ?? [])[0]
    if (said) this.app.notices.say(plain(said))
    const failed = job.reports?.find((r) => r.outcome === 'failed')
    if (failed && job.reports?.every((r) => r.outcome === 'failed')) {
      this.problem = new ProblemClass(failed.problem ?? { code: 'failed', message: failed.reason ?? '' })
      return
    }
    this.app.go({ root: this.root })
    await this.app.refresh()
    this.injection = undefined
    this.go('write')
    await this.prepare()
  }

  // toggle says whether an item of the preview is wanted.
  toggle(branch: string, id: string, wanted: boolean): void {
    if (wanted) this.unwanted.delete(placeOf(branch, id))
    else this.unwanted.add(placeOf(branch, id))
  }

  wants(branch: string, id: string): boolean {
    return !this.unwanted.has(placeOf(branch, id))
  }

  // progress is that of all branches together.
  get progress(): { done?: number; total?: number } {
    const { job } = this
    if (job?.state !== 'running' || !job.branches || !job.number) return {}
    const part = job.total > 0 ? Math.min(1, job.done / job.total) : 0
    return { done: Math.round((job.number - 1 + part) * 100), total: job.branches * 100 }
  }

  #unwantedByBranch(): Record<string, string[]> {
    const all = (this.reports ?? []).map((r): [string, string[]] => [
      r.branch,
      (r.changes ?? []).map((c) => c.id).filter((id) => !this.wants(r.branch, id)),
    ])
    return Object.fromEntries(all.filter(([, ids]) => ids.length > 0))
  }

  // prepare has what is checked out shown: nothing else is written here, even if
  // nothing is remembered of it.
  async prepare(): Promise<void> {
    const { root } = this.app
    const run = this.#run
    try {
      const injection = await this.app.bridge.previewInjection(root, '')
      if (run !== this.#run) return
      this.injection = injection
      this.app.go({ branch: injection.branch })
    } catch (cause) {
      if (run === this.#run) this.problem = asProblem(cause)
    }
  }

  // write writes what was shown.
  async write(): Promise<void> {
    const { root } = this.app
    const branch = this.injection?.branch
    if (branch === undefined) return
    this.busy = true
    this.problem = undefined
    try {
      const done = await this.app.bridge.inject(root, branch, [], false, false)
      const bad = done.targets.find((t) => t.outcome === 'failed' || t.outcome === 'refused')
      if (bad) this.injection = { ...done, targets: done.targets }
      else this.go('done')
    } catch (cause) {
      this.problem = asProblem(cause)
    } finally {
      this.busy = false
    }
  }

  cancel(): void {
    if (this.jobId !== undefined) void this.app.cancel(this.jobId)
  }

  // leave ends the story for good and shows a screen.
  async leave(screen: 'projects' | 'memory'): Promise<void> {
    if (this.job?.state === 'running' || this.job?.state === 'waiting') this.cancel()
    await this.app.run(() => this.app.bridge.endFirstRun())
    this.app.route.firstRun = false
    this.app.go({ screen, root: this.root || undefined })
    void this.app.refresh()
  }

  async #finish(request: Parameters<App['bridge']['memorize']>[1]): Promise<Job | undefined> {
    const run = ++this.#run
    this.problem = undefined
    this.busy = true
    try {
      const id = await this.app.bridge.memorize(this.root, request)
      this.jobId = id
      const job = await this.app.jobs.finished(id)
      if (run !== this.#run) return undefined
      if (job.problem) this.problem = asProblem(job.problem)
      return job.state === 'done' ? job : undefined
    } catch (cause) {
      if (run === this.#run) this.problem = asProblem(cause)
      return undefined
    } finally {
      if (run === this.#run) {
        if (this.jobId !== undefined) void this.app.jobs.dismiss(this.jobId)
        this.jobId = undefined
        this.busy = false
      }
    }
  }
}

function placeOf(branch: string, id: string): string {
  return `${branch}\n${id}`
}
