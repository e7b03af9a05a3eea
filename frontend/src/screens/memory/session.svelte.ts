import { asProblem, type Bridge, type BridgeProblem, type Turn } from '../../bridge'
import { cites } from './places'

export const PAGE = 50
const MOST = 10_000 // turns that are searched for cited ones

// SessionModel reads a session piece by piece, as it is looked at.
export class SessionModel {
  title = $state('')
  total = $state(-1) // turns; -1: not known yet
  archived = $state(false) // what is read is from the archive
  problem = $state.raw<BridgeProblem | undefined>()
  searching = $state(false)
  places: number[] = $state.raw([]) // indexes of cited turns, as far as they are found
  at = $state(-1) // which of them was jumped to last
  readonly cited: ReadonlySet<string>
  #turns = $state.raw<ReadonlyMap<number, Turn | null>>(new Map())
  #pages = new Map<number, Promise<void>>()
  #wanted: Set<string>
  #ended = false

  // cited are the ids of the messages to mark, turns those of their turns.
  constructor(
    private bridge: Bridge,
    private root: string,
    readonly session: string,
    cited: string[],
    turns: string[],
  ) {
    this.cited = new Set(cited)
    this.#wanted = new Set(turns)
  }

  // turn gives a turn; null if it is there no more, undefined if it is not loaded.
  turn(index: number): Turn | null | undefined {
    return this.#turns.get(index)
  }

  // need loads the pages of these turns, if nobody asked for them yet.
  async need(from: number, to: number): Promise<void> {
    const pages: Promise<void>[] = []
    for (let p = Math.floor(Math.max(0, from) / PAGE); p <= Math.floor(Math.max(0, to) / PAGE); p++) {
      pages.push(this.#page(p))
    }
    await Promise.all(pages)
  }

  // start loads the first page and looks for the cited turns.
  async start(): Promise<void> {
    await this.need(0, 0)
    if (!this.#wanted.size || this.total < 0) return
    this.searching = true
    const left = new Set(this.#wanted)
    for (let from = 0; from < Math.min(this.total, MOST) && left.size; from += PAGE) {
      await this.need(from, from)
      if (this.#ended || this.problem) break
      const here: number[] = []
      for (let i = from; i < from + PAGE; i++) {
        const turn = this.turn(i)
        if (turn && (left.delete(turn.id) || cites(turn, this.cited))) here.push(i)
      }
      if (here.length) this.places = [...this.places, ...here]
    }
    this.searching = false
  }

  // jump gives the index of the next cited turn, or the one before, around the
  // ends; undefined if none is known.
  jump(by: 1 | -1): number | undefined {
    const n = this.places.length
    if (!n) return undefined
    this.at = this.at < 0 ? (by > 0 ? 0 : n - 1) : (this.at + by + n) % n
    return this.places[this.at]
  }

  async retry(): Promise<void> {
    this.problem = undefined
    if (!this.places.length) await this.start()
  }

  // end stops what goes on in the background.
  end(): void {
    this.#ended = true
  }

  #page(page: number): Promise<void> {
    let loading = this.#pages.get(page)
    if (!loading) {
      loading = this.#load(page)
      this.#pages.set(page, loading)
    }
    return loading
  }

  // An answer may have fewer turns than were asked for, where they are long; an
  // answer without any says that the turns from there on are gone.
  async #load(page: number): Promise<void> {
    const end = () => (this.total < 0 ? (page + 1) * PAGE : Math.min(this.total, (page + 1) * PAGE))
    try {
      for (let from = page * PAGE; from < end() && !this.#ended; ) {
        const answer = await this.bridge.sessionTurns(this.root, this.session, from, end() - from)
        if (this.#ended) return
        this.title = answer.title
        this.total = answer.total
        this.archived = answer.archived ?? false
        const turns: (Turn | null)[] = answer.turns.length
          ? answer.turns
          : Array(Math.max(0, end() - from)).fill(null)
        const next = new Map(this.#turns)
        for (const [i, turn] of turns.entries()) next.set(from + i, turn)
        this.#turns = next
        from += turns.length
      }
    } catch (cause) {
      this.#pages.delete(page)
      this.problem = asProblem(cause)
    }
  }
}
