import { asProblem, type BridgeProblem, type Job, type Plugin, type Tried } from '../../bridge'
import type { App } from '../../state/app.svelte'
import { over } from '../../state/jobs.svelte'

// Side is one extractor's trial: asked for, under way, or over.
export class Side {
  extractor = $state('')
  branch = $state('')
  job = $state<number | undefined>()
  tried = $state.raw<Tried | undefined>()
  problem = $state.raw<BridgeProblem | undefined>()
  cancelled = $state(false)
}

export function counts(tried: Pick<Tried, 'items'>): { fresh: number; known: number; rejected: number } {
  const rejected = tried.items.filter((i) => i.rejected).length
  const known = tried.items.filter((i) => !i.rejected && i.known).length
  return { fresh: tried.items.length - rejected - known, known, rejected }
}

// usable are the extractors that can be tried.
export function usable(plugins: Plugin[]): Plugin[] {
  return plugins.filter((p) => p.roles.includes('extractor') && (p.approved || p.built_in) && !p.disabled)
}

// TryModel tries one or two extractors on a branch. Nothing of it is saved.
export class TryModel {
  branch = $state('') // "": the current one
  first = $state('') // "": the one that the project uses
  second = $state('') // "": none
  sides = $state.raw<Side[]>([])
  running: boolean = $derived.by(() => this.sides.some((s) => s.job !== undefined))
  starting = $state(false)
  #ended = false

  constructor(
    private app: App,
    readonly root: string,
  ) {}

  // end stops what is under way: nobody would see it.
  end(): void {
    this.#ended = true
    this.cancel()
  }

  // start tries what is chosen: each extractor is a job of its own.
  async start(branch: string, extractors: string[]): Promise<void> {
    if (this.running || this.starting) return
    this.starting = true
    const sides = [...new Set(extractors.filter(Boolean))].map((id) => {
      const side = new Side()
      side.extractor = id
      side.branch = branch
      return side
    })
    this.sides = sides
    const work = []
    for (const side of sides) {
      try {
        side.job = await this.app.bridge.try(this.root, branch, side.extractor)
        work.push(this.#follow(side, side.job))
      } catch (cause) {
        side.problem = asProblem(cause)
      }
    }
    this.starting = false
    if (this.#ended) this.cancel()
    await Promise.all(work)
  }

  cancel(): void {
    for (const side of this.sides) {
      if (side.job !== undefined) void this.app.bridge.cancelJob(side.job).catch(() => {})
    }
  }

  jobOf(side: Side): Job | undefined {
    const job = this.app.jobs.get(side.job)
    return job && !over(job) ? job : undefined
  }

  async #follow(side: Side, id: number): Promise<void> {
    const job = await this.app.jobs.finished(id)
    side.job = undefined
    void this.app.jobs.dismiss(id)
    if (job.state === 'cancelled') side.cancelled = true
    else if (job.problem) side.problem = asProblem(job.problem)
    else side.tried = job.tried
  }
}
