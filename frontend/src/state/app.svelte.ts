import { getContext, setContext } from 'svelte'
import {
  type Asked,
  asProblem,
  type Branch,
  type Bridge,
  BridgeProblem,
  type Job,
  type Project,
  type Status,
} from '../bridge'
import { text } from '../text'
import { Jobs } from './jobs.svelte'
import { Notices } from './notices.svelte'
import { Resource } from './resource.svelte'
import { isScreen, type Place, Route, type ScreenName } from './route.svelte'
import { Theme } from './theme.svelte'
import { Trusting } from './trust.svelte'

const key = Symbol('app')

// Wish is what a screen shall do as soon as it can.
export interface Wish {
  screen: ScreenName
  what: string
  id: string
}

// App is what all screens share.
export class App {
  readonly route = new Route()
  readonly notices = new Notices()
  readonly theme: Theme
  readonly jobs: Jobs
  readonly projects: Resource<Project[]>
  readonly branches: Resource<Branch[]>
  readonly status: Resource<Status>
  readonly trust: Trusting
  // Which of the shell's overlays is open.
  overlay = $state<'palette' | 'shortcuts' | 'trust' | null>(null)
  #wish = $state.raw<Wish | undefined>()

  constructor(readonly bridge: Bridge) {
    this.theme = new Theme((choice) => {
      // What can't be saved is remembered by this window all the same.
      bridge.setSetting(this.root, 'ui.theme', choice, true).catch(() => {})
    })
    this.jobs = new Jobs(bridge)
    this.projects = new Resource(() => bridge.projects())
    this.branches = new Resource(() => (this.root ? bridge.branches(this.root) : Promise.resolve([])))
    this.status = new Resource(() => bridge.status(this.root))
    this.trust = new Trusting(bridge, () => this.root)
  }

  get root(): string {
    return this.route.root
  }

  get branch(): string | null {
    return this.route.branch
  }

  // project is the current one, once it is known.
  get project(): Project | undefined {
    return this.projects.value?.find((p) => p.root === this.root)
  }

  // start loads what the shell shows, and listens; it gives what ends that.
  start(): () => void {
    const off = [
      this.jobs.start(),
      this.jobs.onEnd((job) => this.#ended(job)),
      this.bridge.on('changed', (e) => {
        void this.status.reload()
        if (e.what === 'settings') void this.#followTheme()
        if (e.what === 'service') void this.jobs.reload('service')
        const first = e.what === 'memory' && this.project?.memory === false
        // Of the project that is shown its branches tell; the counts of others are
        // in the list.
        const other = e.root !== '' && e.root !== this.root
        if (e.what === 'history' || e.what === 'settings' || first || other) void this.projects.reload()
        if (e.root !== '' && e.root !== this.root) return
        void this.#reloadBranches()
        if (e.what !== 'review' && e.what !== 'conflicts') void this.trust.loaded.reload()
      }),
      this.bridge.on('show', (e) => this.#show(e)),
    ]
    const seen = () => {
      if (document.visibilityState === 'visible') void this.refresh()
    }
    document.addEventListener('visibilitychange', seen)
    off.push(() => document.removeEventListener('visibilitychange', seen))
    void this.#first()
    return () => {
      for (const end of off) end()
    }
  }

  // refresh loads again what the shell shows.
  async refresh(): Promise<void> {
    await Promise.all([this.projects.reload(), this.#reloadBranches(), this.status.reload()])
    void this.trust.loaded.reload()
  }

  // go shows a screen, a project, a branch, or any of them. A screen takes the
  // place of the first run.
  go(to: Partial<Place>): void {
    const root = this.root
    if (to.screen) this.route.firstRun = false
    this.route.go(to)
    if (this.root === root) return
    this.branches.clear()
    if (this.overlay === 'trust') this.overlay = null
    this.trust.left()
    void this.projects.reload()
    void Promise.all([this.#reloadBranches(), this.status.reload()]).then(() => this.trust.loaded.reload())
  }

  // wish goes to a screen and has it do something there.
  wish(screen: ScreenName, what: string, id = '', branch?: string): void {
    this.#wish = { screen, what, id }
    this.go({ screen, branch })
  }

  // granted gives a screen what it shall do, once. A wish for another screen,
  // where the person did not get to, is forgotten.
  granted(screen: ScreenName): Wish | undefined {
    const wish = this.#wish
    if (wish) this.#wish = undefined
    return wish?.screen === screen ? wish : undefined
  }

  // showTrust shows what the current project asks for.
  showTrust(): void {
    this.trust.problem = undefined
    this.overlay = 'trust'
    if (!this.trust.value) void this.trust.loaded.reload()
  }

  // run does something with the bridge and tells what went wrong; undefined
  // then.
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (cause) {
      this.notices.tell(asProblem(cause))
      return undefined
    }
  }

  // memorize starts a job on branches of a project: none stands for all. again
  // reads every turn once more.
  async memorize(root: string, branches: string[], again = false): Promise<number | undefined> {
    const id = await this.run(() => this.bridge.memorize(root, { branches, ...(again && { again }) }))
    if (id === undefined) return undefined
    this.jobs.asked(id, branches)
    await this.jobs.reload()
    void this.status.reload()
    return id
  }

  // maintain starts everything that keeps a project's memories up.
  async maintain(root: string): Promise<void> {
    await this.run(() => this.bridge.runMaintenance(root, 'full'))
    await this.jobs.reload()
  }

  async pauseService(paused: boolean): Promise<void> {
    const now = await this.run(() => this.bridge.pauseService(paused))
    if (now) void this.status.reload()
  }

  // addProject asks for a folder and shows it as the current project.
  async addProject(): Promise<void> {
    const project = await this.run(() => this.bridge.addProject())
    if (!project) return
    await this.projects.reload()
    this.go({ screen: 'projects', root: project.root })
  }

  async cancel(id: number): Promise<void> {
    await this.run(() => this.bridge.cancelJob(id))
  }

  async #first(): Promise<void> {
    const [first, asked] = await Promise.all([
      this.run(() => this.bridge.firstRun()),
      this.run(() => this.bridge.asked()),
      this.projects.reload(),
      this.status.reload(),
    ])
    if (first?.needed) this.route.firstRun = true
    if (asked) this.#show(asked)
    const projects = this.projects.value ?? []
    if (!asked?.root && !projects.some((p) => p.root === this.root)) {
      this.route.go({ root: (projects.find((p) => p.exists) ?? projects[0])?.root ?? '' })
    }
    await Promise.all([this.#reloadBranches(), this.status.reload(), this.#followTheme()])
    void this.trust.loaded.reload()
  }

  #show(asked: Asked): void {
    this.go({ screen: isScreen(asked.screen) ? asked.screen : undefined, root: asked.root || undefined })
  }

  async #followTheme(): Promise<void> {
    try {
      const settings = await this.bridge.settings(this.root)
      const choice = settings.find((s) => s.key === 'ui.theme')?.value
      if (choice === 'system' || choice === 'light' || choice === 'dark') this.theme.follow(choice)
    } catch {
      // The settings' own screen says what is wrong with them.
    }
  }

  // Whichever answer is the last picks the branch: earlier ones are dropped.
  async #reloadBranches(): Promise<void> {
    await this.branches.reload()
    this.#pickBranch()
  }

  // The branch that is checked out, else the one worked on last.
  #pickBranch(): void {
    const branches = this.branches.value
    if (!branches || branches.some((b) => b.name === this.branch)) return
    this.route.go({ branch: (branches.find((b) => b.current) ?? branches[0])?.name ?? null })
  }

  #tellOutcome(job: Job): void {
    const part = job.maintained?.parts.find((p) => p.outcome === 'failed')
    const failed =
      job.problem ??
      job.reports?.find((r) => r.outcome === 'failed')?.problem ??
      (part && { code: 'failed', message: part.words })
    const message = text.status.ended(job)
    if (failed) this.notices.tell(new BridgeProblem({ ...failed, message }))
    else this.notices.say(message)
  }

  #ended(job: Job): void {
    void this.status.reload()
    if ((job.kind === 'memorize' || job.kind === 'maintain') && job.by === 'window') this.#tellOutcome(job)
    if (job.root === this.root) void this.#reloadBranches()
  }
}

// provideApp makes the app known to the components below.
export function provideApp(app: App): App {
  return setContext(key, app)
}

// useApp gives the app to a component that is being set up.
export function useApp(): App {
  const app = getContext<App | undefined>(key)
  if (!app) throw new Error('no app in the context')
  return app
}

// appContext is the context for a component that a test renders alone.
export function appContext(app: App): Map<unknown, unknown> {
  return new Map([[key, app]])
}
