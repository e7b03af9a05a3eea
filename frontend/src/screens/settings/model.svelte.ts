import { asProblem, type BridgeProblem, type Setting } from '../../bridge'
import { plain } from '../../format/untrusted'
import type { App } from '../../state/app.svelte'
import { text } from '../../text'
import { wrong } from './fields'

const t = text.settings

export type Scope = 'user' | 'project'

// Loaded is where settings come from; a Resource is one.
export interface Loaded {
  readonly value: Setting[] | undefined
  readonly problem: BridgeProblem | undefined
  put(list: Setting[]): void
  reload(): Promise<void>
}

// SettingsModel is the settings of the person, and those that hold in the
// current project. A change is saved at once, in the scope that is chosen.
export class SettingsModel {
  scope = $state<Scope>('user')
  errors = $state<Record<string, string>>({}) // by key
  saving = $state('') // key
  value: Setting[] | undefined = $derived.by(() =>
    this.scope === 'project' ? this.here.value : this.person.value,
  )

  // person has what holds where no project says otherwise, here what holds in
  // the project.
  constructor(
    private app: App,
    readonly root: string,
    private person: Loaded,
    private here: Loaded,
  ) {}

  get(key: string): Setting | undefined {
    return this.value?.find((s) => s.key === key)
  }

  // own is the person's, whatever scope is chosen.
  own(key: string): Setting | undefined {
    return this.person.value?.find((s) => s.key === key)
  }

  // inForce is what holds in the project, whatever scope is chosen.
  inForce(key: string): Setting | undefined {
    return this.here.value?.find((s) => s.key === key)
  }

  // over is the project's own value that goes over the person's, which is shown.
  over(key: string): Setting | undefined {
    const s = this.scope === 'user' && this.root ? this.inForce(key) : undefined
    return s?.from === 'project' ? s : undefined
  }

  // asked is what the project's file asks for and what waits for a yes.
  asked(key: string): unknown {
    return this.root ? this.inForce(key)?.asked : undefined
  }

  // resets says whether the chosen scope has a value of its own.
  resets(key: string, scope = this.scope): boolean {
    return this.#layer(key, scope) !== null
  }

  choose(scope: Scope): void {
    this.scope = scope
    this.errors = {}
  }

  // change saves a value, or says at the field why not. It offers to undo.
  async change(key: string, value: unknown, scope = this.scope): Promise<boolean> {
    const s = scope === 'user' ? this.own(key) : this.get(key)
    const bad = s && value !== null ? wrong(s, value) : undefined
    if (bad) {
      this.errors = { ...this.errors, [key]: bad }
      return false
    }
    const before = this.#layer(key, scope)
    if (JSON.stringify(before) === JSON.stringify(value)) {
      this.forgive(key)
      return true
    }
    if (!(await this.#save(key, value, scope))) return false
    const label = plain(t.fields[key]?.label ?? key)
    const where = scope === 'user' ? t.whereUser : t.whereProject
    const words = value === null ? t.wasReset(label, where) : t.saved(label, where)
    this.app.notices.say(words, async () => {
      await this.#save(key, before, scope)
    })
    return true
  }

  forgive(key: string): void {
    if (!(key in this.errors)) return
    const { [key]: _, ...rest } = this.errors
    this.errors = rest
  }

  // The value in the layer of a scope; null: it has none.
  #layer(key: string, scope: Scope): unknown {
    const list = scope === 'project' ? this.here.value : this.person.value
    const s = list?.find((x) => x.key === key)
    return s?.from === scope ? $state.snapshot(s.value) : null
  }

  async #save(key: string, value: unknown, scope: Scope): Promise<boolean> {
    this.saving = key
    this.forgive(key)
    try {
      this.here.put(await this.app.bridge.setSetting(this.root, key, value, scope === 'user'))
      await this.person.reload()
      if (key === 'ui.theme') this.#followTheme()
      return true
    } catch (cause) {
      const problem = asProblem(cause)
      this.errors = { ...this.errors, [key]: refusal(key, problem) }
      return false
    } finally {
      this.saving = ''
    }
  }

  #followTheme(): void {
    const choice = this.inForce('ui.theme')?.value
    if (choice === 'system' || choice === 'light' || choice === 'dark') this.app.theme.follow(choice)
  }
}

// refusal says at a field why the program refused: the field has a name, and says
// itself what it is for.
function refusal(key: string, { code, message, hint }: BridgeProblem): string {
  if (code === 'settings' && message.startsWith(`${key} can't be `)) {
    return `This${message.slice(key.length)}`
  }
  return [message, hint].filter(Boolean).join('. ')
}
