import type { Bridge, Job } from '../bridge'

// Jobs are the works that take long, of this window and of the service.
export class Jobs {
  list = $state.raw<Job[]>([])
  running = $derived(this.list.filter((j) => j.state === 'running' || j.state === 'waiting'))
  // What this window asked for, by the job's id: exact names, none for all.
  #asked = new Map<number, string[]>()
  #ended: ((job: Job) => void)[] = []

  constructor(private bridge: Bridge) {}

  // start listens, and gives what ends it.
  start(): () => void {
    const off = [
      this.bridge.on('job', (job) => this.#put(job)),
      this.bridge.on('ended', (job) => {
        this.#put(job)
        for (const handle of this.#ended) handle(job)
      }),
    ]
    void this.reload()
    return () => {
      for (const end of off) end()
    }
  }

  // reload asks for all jobs. of names whose come anew: another process may run
  // them by now, whose ids are those of before.
  async reload(of?: Job['by']): Promise<void> {
    try {
      const known = new Map((await this.bridge.jobs()).map((j) => [j.id, j]))
      for (const job of this.list) {
        const answered = known.get(job.id)
        // An event may be newer than the answer.
        if (answered && job.by !== of && over(job) && !over(answered)) known.set(job.id, job)
      }
      this.list = [...known.values()].sort((a, b) => a.id - b.id)
    } catch {
      // The status says what is wrong.
    }
  }

  // onEnd calls handle with each job that ends, until the returned function is
  // called.
  onEnd(handle: (job: Job) => void): () => void {
    this.#ended.push(handle)
    return () => {
      this.#ended = this.#ended.filter((h) => h !== handle)
    }
  }

  // finished waits for the end of a job, which may have come already.
  finished(id: number): Promise<Job> {
    return new Promise((resolve) => {
      const now = this.list.find((j) => j.id === id)
      if (now && over(now)) return resolve(now)
      const off = this.onEnd((job) => {
        if (job.id !== id) return
        off()
        resolve(job)
      })
      void this.reload().then(() => {
        const late = this.list.find((j) => j.id === id)
        if (!late || !over(late)) return
        off()
        resolve(late)
      })
    })
  }

  get(id: number | undefined): Job | undefined {
    return id === undefined ? undefined : this.list.find((j) => j.id === id)
  }

  asked(id: number, branches: string[]): void {
    this.#asked.set(id, branches)
  }

  // memorizing gives the unfinished job that memorizes a branch now, or will.
  memorizing(root: string, branch: string): Job | undefined {
    return this.running.find((j) => {
      if (j.kind !== 'memorize' || j.root !== root) return false
      if (j.branch === branch) return true
      const asked = this.#asked.get(j.id)
      return asked !== undefined && (asked.length === 0 || asked.includes(branch))
    })
  }

  async dismiss(id: number): Promise<void> {
    this.list = this.list.filter((j) => j.id !== id)
    this.#asked.delete(id)
    try {
      await this.bridge.dismissJob(id)
    } catch {
      // It was gone already.
    }
  }

  #put(job: Job): void {
    const before = this.list.find((j) => j.id === job.id)
    if (before && over(before) && !over(job)) return // overtaken by its end
    this.list = before ? this.list.map((j) => (j.id === job.id ? job : j)) : [...this.list, job]
  }
}

// over says whether a job has ended.
export function over(job: Job): boolean {
  return job.state === 'done' || job.state === 'failed' || job.state === 'cancelled'
}
