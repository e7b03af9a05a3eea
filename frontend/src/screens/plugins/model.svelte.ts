import { asProblem, type BridgeProblem, type Plugin, type Plugins } from '../../bridge'
import type { App } from '../../state/app.svelte'
import type { Resource } from '../../state/resource.svelte'
import { text } from '../../text'

const t = text.plugins

function used(p: Plugin): boolean {
  return p.used_as.length > 0
}

// PluginsModel is the plug-ins of the person, as the current project uses them.
export class PluginsModel {
  chosen = $state('') // id of the one that is shown
  approving = $state.raw<Plugin | undefined>() // the one whose approval is asked for
  job = $state<number | undefined>() // that approves it
  approval = $state.raw<{ id: string; problem?: BridgeProblem } | undefined>() // how the last one ended
  busy = $state(false)
  // Those that this project uses come first.
  list: Plugin[] = $derived.by(() =>
    (this.loaded.value?.plugins ?? []).toSorted((a, b) => Number(used(b)) - Number(used(a))),
  )
  // Until one is chosen: of those in use what waits for the person, else the first.
  plugin: Plugin | undefined = $derived.by(
    () =>
      this.list.find((p) => p.id === this.chosen) ??
      this.list.find((p) => used(p) && (p.pending || p.paused)) ??
      this.list[0],
  )
  #ended = false

  constructor(
    private app: App,
    readonly root: string,
    private loaded: Resource<Plugins>,
  ) {}

  end(): void {
    this.#ended = true
  }

  async add(): Promise<void> {
    const added = await this.#act(() => this.app.bridge.addPlugin(this.root))
    if (!added) return
    this.#put(added)
    this.chosen = added.id
    this.app.notices.say(t.didAdd(added.name))
    if (added.pending) this.ask(added)
  }

  // ask shows what a plug-in wants, to be approved or not.
  ask(p: Plugin): void {
    this.approval = undefined
    this.approving = p
  }

  // approve starts the job, and tells how it ended even if nobody waits for it.
  async approve(): Promise<void> {
    const p = this.approving
    if (!p?.pending || this.job !== undefined) return
    this.approval = undefined
    const sha256 = p.pending.sha256
    const id = await this.app.run(() => this.app.bridge.approvePlugin(this.root, p.id, sha256))
    if (id === undefined) return
    this.job = id
    const job = await this.app.jobs.finished(id)
    this.job = undefined
    void this.app.jobs.dismiss(id)
    if (job.state === 'done') {
      this.app.notices.say(t.didApprove(p.name))
      if (this.approving?.id === p.id) this.approving = undefined
    } else {
      this.approval = { id: p.id, problem: job.problem ? asProblem(job.problem) : undefined }
      if (!this.approving && job.problem) this.app.notices.tell(asProblem(job.problem))
    }
    if (!this.#ended) await this.loaded.reload()
    void this.app.status.reload()
  }

  async enable(p: Plugin, enabled: boolean): Promise<void> {
    const set = (on: boolean) => this.#change(() => this.app.bridge.enablePlugin(this.root, p.id, on))
    if (!(await set(enabled))) return
    this.app.notices.say(enabled ? t.didEnable(p.name) : t.didDisable(p.name), async () => {
      await set(!enabled)
    })
  }

  // use puts a plug-in into a role of the project. What a schema or policy puts
  // out comes back by undo.
  async use(p: Plugin, role: string, use: boolean): Promise<void> {
    const other = role === 'extractor' ? undefined : this.list.find((o) => o.used_as.includes(role))
    const set = (id: string, on: boolean) =>
      this.#change(() => this.app.bridge.usePlugin(this.root, id, role, on))
    const done = await set(p.id, use)
    await this.loaded.reload() // another one may be out
    if (!done) return
    this.app.notices.say(use ? t.didUse(p.name, role) : t.didNotUse(p.name, role), async () => {
      if (other && use) await set(other.id, true)
      else await set(p.id, !use)
      await this.loaded.reload()
    })
  }

  // configure rejects with what is wrong.
  async configure(p: Plugin, config: unknown): Promise<void> {
    const before = $state.snapshot(p.config)
    this.#put(await this.app.bridge.configurePlugin(this.root, p.id, config))
    this.app.notices.say(t.didConfigure(p.name), async () => {
      await this.#change(() => this.app.bridge.configurePlugin(this.root, p.id, before))
    })
  }

  async resume(p: Plugin): Promise<void> {
    if (!(await this.#change(() => this.app.bridge.resumePlugin(this.root, p.id)))) return
    this.app.notices.say(t.didResume(p.name))
    void this.app.status.reload()
  }

  async remove(p: Plugin): Promise<void> {
    const done = await this.#act(async () => {
      await this.app.bridge.removePlugin(this.root, p.id)
      return true
    })
    if (!done) return
    this.chosen = ''
    this.app.notices.say(t.didRemove(p.name))
    await this.loaded.reload()
  }

  async #change(call: () => Promise<Plugin>): Promise<boolean> {
    const changed = await this.#act(call)
    if (changed) this.#put(changed)
    return changed !== undefined
  }

  async #act<T>(call: () => Promise<T>): Promise<T | undefined> {
    this.busy = true
    const answer = await this.app.run(call)
    this.busy = false
    return answer
  }

  #put(p: Plugin): void {
    const now = this.loaded.value
    if (!now || this.#ended) return
    const known = now.plugins.some((x) => x.id === p.id)
    const plugins = known ? now.plugins.map((x) => (x.id === p.id ? p : x)) : [...now.plugins, p]
    this.loaded.put({ ...now, plugins })
  }
}
