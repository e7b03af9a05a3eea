import { asProblem, type BridgeProblem, type Edited, type Memory } from '../../bridge'
import type { App } from '../../state/app.svelte'
import { text } from '../../text'

interface Step {
  undo: string
  what: string
}

// Target is the memory that edits change, and what is told of it.
export interface Target {
  root: string
  branch: string
  put(memory: Memory): void
  reload(): Promise<void>
}

// Edits makes the changes of one memory, one after the other, and takes them
// back: the last first.
export class Edits {
  working = $state(0) // changes that are not answered yet
  refused = $state(false) // an undo came too late; until it is dismissed
  #done: Step[] = []
  #undone: Step[] = []
  #tail: Promise<unknown> = Promise.resolve()
  #notice = 0

  constructor(
    private app: App,
    private target: Target,
  ) {}

  // make runs a change after those before it. call may give nothing if there is
  // nothing to do by then. It rejects with a BridgeProblem.
  make(what: string, call: () => Promise<Edited> | undefined): Promise<Edited | undefined> {
    return this.#after(async () => {
      const edited = await call()
      if (!edited) return undefined
      this.target.put(edited.memory)
      if (edited.undo) {
        const step = { undo: edited.undo, what }
        this.#done.push(step)
        this.#undone = []
        this.#say(what, () => this.#takeBack(step))
      }
      for (const warning of edited.warnings ?? []) this.app.notices.say(warning)
      return edited
    })
  }

  // tryMake is make for changes with nothing to keep open: what went wrong is
  // told, and the memory read again.
  async tryMake(what: string, call: () => Promise<Edited> | undefined): Promise<Edited | undefined> {
    try {
      return await this.make(what, call)
    } catch (cause) {
      this.failed(asProblem(cause))
      return undefined
    }
  }

  failed(problem: BridgeProblem): void {
    this.app.notices.tell(problem)
    void this.target.reload()
  }

  async undo(): Promise<void> {
    const step = this.#done.at(-1)
    if (!step) return this.#say(text.memory.nothingToUndo)
    await this.#takeBack(step)
  }

  async redo(): Promise<void> {
    await this.#after(async () => {
      const step = this.#undone.pop()
      if (!step) return this.#say(text.memory.nothingToRedo)
      const edited = await this.#back(step)
      if (!edited) return
      if (edited.undo) this.#done.push({ undo: edited.undo, what: step.what })
      this.#say(text.memory.did.redone(step.what))
    })
  }

  async #takeBack(step: Step): Promise<void> {
    await this.#after(async () => {
      if (!this.#done.includes(step)) return
      const edited = await this.#back(step)
      if (!edited) return
      this.#done = this.#done.filter((s) => s !== step)
      if (edited.undo) this.#undone.push({ undo: edited.undo, what: step.what })
      this.#say(text.memory.did.undone(step.what))
    })
  }

  async #back(step: Step): Promise<Edited | undefined> {
    try {
      const edited = await this.app.bridge.undoEdit(this.target.root, this.target.branch, step.undo)
      this.target.put(edited.memory)
      return edited
    } catch (cause) {
      const problem = asProblem(cause)
      if (problem.code !== 'changed') {
        this.failed(problem)
        return undefined
      }
      // Nothing before it can be undone either.
      this.#done = []
      this.#undone = []
      this.refused = true
      this.#hush()
      void this.target.reload()
      return undefined
    }
  }

  // Only the newest change can be undone, so only it has a notice that offers it.
  #say(what: string, undo?: () => Promise<void>): void {
    this.#hush()
    this.app.notices.say(what, undo)
    this.#notice = this.app.notices.list.at(-1)?.id ?? 0
  }

  #hush(): void {
    if (this.#notice) this.app.notices.dismiss(this.#notice)
    this.#notice = 0
  }

  #after<T>(work: () => Promise<T>): Promise<T> {
    this.working++
    const run = this.#tail.then(work).finally(() => {
      this.working--
    })
    this.#tail = run.catch(() => undefined)
    return run
  }
}
