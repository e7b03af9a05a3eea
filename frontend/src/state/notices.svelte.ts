import type { BridgeProblem } from '../bridge'

export interface Notice {
  id: number
  text: string
  problem?: BridgeProblem
  undo?: () => void | Promise<void>
}

const STAY = 8_000 // milliseconds; a problem stays until it is dismissed
const MOST = 4

// Notices are outcomes in words: shown at the corner and read out by screen
// readers.
export class Notices {
  list = $state<Notice[]>([])
  #next = 1
  #timers = new Map<number, ReturnType<typeof setTimeout>>()

  // say tells an outcome, which may offer to undo it.
  say(text: string, undo?: Notice['undo']): void {
    this.#add({ id: this.#next++, text, undo }, STAY)
  }

  // tell shows what went wrong.
  tell(problem: BridgeProblem): void {
    if (problem.code === 'cancelled') this.say(problem.message)
    else this.#add({ id: this.#next++, text: problem.message, problem })
  }

  dismiss(id: number): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
    this.list = this.list.filter((n) => n.id !== id)
  }

  // hold keeps a notice for as long as somebody looks at it.
  hold(id: number): void {
    clearTimeout(this.#timers.get(id))
  }

  release(id: number): void {
    if (this.list.some((n) => n.id === id && !n.problem)) this.#expire(id, STAY)
  }

  #add(notice: Notice, stay?: number): void {
    for (const old of this.list.slice(0, Math.max(0, this.list.length + 1 - MOST))) this.dismiss(old.id)
    this.list = [...this.list, notice]
    if (stay) this.#expire(notice.id, stay)
  }

  #expire(id: number, stay: number): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.set(
      id,
      setTimeout(() => this.dismiss(id), stay),
    )
  }
}
