import type { Bridge, Turn } from '../../bridge'
import { asProblem, type BridgeProblem } from '../../bridge'
import { cites } from './places'

export const PAGE = 50
const MOST = 10_000 // turns that are searched for cited ones

// SessionModel reads a session piece by piece, as it is looked at.
export class SessionModel {
  title = $state('')
  total = $state(-1) // turns; -1: not known yet
  problem = $state.raw<BridgeProblem | undefined>()
  searching = $state(false)
  places: number[] = $state.raw([]) // indexes of the turns with cited messages, as far as they are found
  at = $state(-1) // which of them was jumped to last
  readonly cited: Set<string>
  #pages = $state.raw<ReadonlyMap<number, Turn[]>>(new Map())
  #asked = new Set<number>()
  #ended = false

  constructor(
    private bridge: Bridge,
    private root: string,
    readonly session: string,
    cited: string[],
  ) {
    this.cited = new Set(cited)
  }

  // turn gives a turn that was loaded.
  turn(index: number): Turn | undefined {
    return this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE]
  }

  // need loads the pages of these turns, if nobody asked for them yet.
  async need(from: number, to: number): Promise<void> {
    const pages: number[] = []
    for (let p = Math.floor(Math.max(0, from) / PAGE); p <= Math.floor(Math.max(0, to) / PAGE); p++)
      pages.push(p)
    await Promise.all(pages.map((p) => this.#page(p)))
  }

  // start loads the first page and looks for the cited turns.
  async start(): Promise<void> {
    await this.need(0, 0)
    if (!this.cited.size || this.total < 0) return
    this.searching = true
    const found = new Set<string>()
    for (let from = 0; from < Math.min(this.total, MOST) && found.size < this.cited.size; from += PAGE) {
      await this.need(from, from)
      if (this.#ended || this.problem) break
      const page = this.#pages.get(from / PAGE) ?? []
      const here = page.flatMap((t, i) => (cites(t, this.cited) ? [from + i] : []))
      if (here.length) this.places = [...this.places, ...here]
      for (const t of page) for (const m of t.messages) if (this.cited.has(m.id)) found.add(m.id)
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
    if (this.total < 0) await this.start()
  }

  // end stops what goes on in the background.
  end(): void {
    this.#ended = true
  }

  async #page(page: number): Promise<void> {
    if (this.#asked.has(page) || this.#ended || (this.total >= 0 && page * PAGE >= Math.max(1, this.total)))
      return
    this.#asked.add(page)
    try {
      const answer = await this.bridge.sessionTurns(this.root, this.session, page * PAGE, PAGE)
      if (this.#ended) return
      this.title = answer.title
      this.total = answer.total
      this.#pages = new Map(this.#pages).set(page, answer.turns)
    } catch (cause) {
      this.#asked.delete(page)
      this.problem = asProblem(cause)
    }
  }
}
