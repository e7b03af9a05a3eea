import { asProblem, type Conflict, type ConflictDecision, type Resolved } from '../../bridge'
import type { App } from '../../state/app.svelte'
import { text } from '../../text'

// Loaded is where the conflicts come from, decided ones too; a Resource is one.
export interface Loaded {
  readonly value: Conflict[] | undefined
  put(list: Conflict[]): void
  reload(): Promise<void>
}

export function isOpen(c: Conflict): boolean {
  return !c.resolution.resolvedAt && ['unresolved', 'pending_user_review'].includes(c.resolution.status)
}

// ConflictsModel is the contradictions of one project.
export class ConflictsModel {
  current = $state('') // id of an open conflict
  deciding = $state('') // id of the one whose decision is on its way
  decided = $state(0) // since the screen was opened
  stale = $state(false) // one was decided elsewhere before it was here
  noting = $state(false) // the note for keeping both is being written
  note = $state('')
  noteMissing = $state(false)
  wanted = $state.raw({ key: '', times: 0 }) // the conflict that wants the keyboard
  open: Conflict[] = $derived.by(() => (this.loaded.value ?? []).filter(isOpen))
  history: Conflict[] = $derived.by(() =>
    (this.loaded.value ?? []).filter((c) => !isOpen(c)).sort(newestFirst),
  )
  // Where the current one was, for when it goes.
  #last = 0

  constructor(
    private app: App,
    readonly root: string,
    private loaded: Loaded,
  ) {}

  get index(): number {
    const at = this.open.findIndex((c) => c.id === this.current)
    return at < 0 ? Math.max(0, Math.min(this.#last, this.open.length - 1)) : at
  }

  get conflict(): Conflict | undefined {
    return this.open[this.index]
  }

  select(id: string): void {
    if (id !== this.current) this.cancelNote()
    this.current = id
    this.#last = Math.max(
      0,
      this.open.findIndex((c) => c.id === id),
    )
    this.wanted = { key: id, times: this.wanted.times + 1 }
  }

  step(by: number): void {
    const to = this.open[Math.max(0, Math.min(this.open.length - 1, this.index + by))]
    if (to && to.id !== this.conflict?.id) this.select(to.id)
  }

  startNote(): void {
    if (!this.conflict || this.deciding) return
    this.noting = true
    this.noteMissing = false
  }

  // cancelNote forgets the note; back gives the keyboard to the conflict.
  cancelNote(back = false): void {
    this.noting = false
    this.noteMissing = false
    this.note = ''
    if (back && this.conflict) this.select(this.conflict.id)
  }

  // decide does what a person decided about the current conflict, and goes on to
  // the next. Keeping both needs the note.
  async decide(decision: ConflictDecision): Promise<void> {
    const c = this.conflict
    if (!c || this.deciding) return
    const note = decision === 'both' ? this.note.trim() : ''
    if (decision === 'both' && !note) {
      this.noting = true
      this.noteMissing = true
      return
    }
    this.#last = this.index
    this.deciding = c.id
    try {
      const answer = await this.app.bridge.resolveConflict(this.root, c.id, decision, note)
      this.loaded.put((this.loaded.value ?? []).map((x) => (x.id === answer.id ? answer : x)))
      this.decided++
      this.cancelNote()
      this.app.notices.say(text.conflicts.did[decision], () => this.#takeBack(answer))
      const next = this.open[Math.min(this.#last, this.open.length - 1)]
      if (next) this.select(next.id)
      else this.current = ''
    } catch (cause) {
      await this.loaded.reload()
      if (this.open.some((x) => x.id === c.id)) this.app.notices.tell(asProblem(cause))
      else {
        this.stale = true
        this.cancelNote()
        if (this.conflict) this.select(this.conflict.id)
      }
    } finally {
      this.deciding = ''
    }
  }

  // #takeBack undoes a decision: the memory is as before, and the conflict waits
  // again.
  async #takeBack(c: Resolved): Promise<void> {
    try {
      await this.app.bridge.undoEdit(this.root, c.branch, c.undo)
      this.decided--
      this.app.notices.say(text.general.undone)
    } catch (cause) {
      this.app.notices.tell(asProblem(cause))
    }
    await this.loaded.reload()
    if (this.open.some((x) => x.id === c.id)) this.select(c.id)
  }
}

function newestFirst(a: Conflict, b: Conflict): number {
  return (b.resolution.resolvedAt ?? b.createdAt).localeCompare(a.resolution.resolvedAt ?? a.createdAt)
}
