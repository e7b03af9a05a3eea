import { asProblem, type Decision, type Proposal, type Section } from '../../bridge'
import type { App } from '../../state/app.svelte'
import { text } from '../../text'

export interface Draft {
  id: string
  content: string
  section: string
  sections: Section[] // where it could go; none until they are known
  problem: string
}

// Group is what must be decided about a branch, or what is only suggested for it.
export interface Group {
  branch: string
  suggestion: boolean
  proposals: Proposal[]
}

// Row is a line of the list: a branch's heading, or one of its proposals.
export type Row =
  | { kind: 'branch'; key: string; group: Group }
  | { kind: 'proposal'; key: string; proposal: Proposal }

// Loaded is where the proposals come from; a Resource is one.
export interface Loaded {
  readonly value: Proposal[] | undefined
  put(list: Proposal[]): void
  reload(): Promise<void>
}

interface Step {
  undo: string
  first: string // id of the first proposal decided
  count: number
}

// ReviewModel is the proposals of one project and what is decided about them.
// Decisions are sent one after the other; those on their way are not shown.
export class ReviewModel {
  current = $state('') // key of the row with the keyboard
  decided = $state(0) // since the screen was opened
  stale = $state.raw<Proposal[]>([]) // those that went away undecided
  refused = $state(false) // an undo came too late
  draft = $state<Draft | undefined>()
  wanted = $state.raw({ key: '', times: 0 }) // the proposal that wants the keyboard
  #flying = $state.raw<ReadonlySet<string>>(new Set())
  list: Proposal[] = $derived.by(() =>
    inGroups((this.loaded.value ?? []).filter((p) => !this.#flying.has(p.id))),
  )
  groups: Group[] = $derived(groupsOf(this.list))
  rows: Row[] = $derived(
    this.groups.flatMap((group) => [
      { kind: 'branch' as const, key: `${group.suggestion ? 's' : 'b'}:${group.branch}`, group },
      ...group.proposals.map((proposal) => ({ kind: 'proposal' as const, key: proposal.id, proposal })),
    ]),
  )
  index: number = $derived.by(() => {
    const at = this.rows.findIndex((r) => r.key === this.current)
    return at >= 0 ? at : Math.max(0, Math.min(1, this.rows.length - 1))
  })
  #done: Step[] = []
  #tail: Promise<unknown> = Promise.resolve()
  #notice = 0

  constructor(
    private app: App,
    readonly root: string,
    private loaded: Loaded,
  ) {}

  // all counts no suggestion that waits: nobody has to get through them.
  get all(): number {
    return this.decided + this.list.filter((p) => !p.suggestion).length
  }

  // chosen is the proposal with the keyboard, if it is on one.
  get chosen(): Proposal | undefined {
    const row = this.rows[this.index]
    return row?.kind === 'proposal' ? row.proposal : undefined
  }

  // group is the one that the keyboard is in.
  get group(): Group | undefined {
    const row = this.rows[this.index]
    if (row?.kind !== 'proposal') return row?.group
    return this.groups.find((g) => g.proposals.includes(row.proposal))
  }

  activate(index: number): void {
    this.current = this.rows[index]?.key ?? ''
  }

  // select gives the keyboard to a proposal.
  select(id: string): void {
    this.current = id
    this.wanted = { key: id, times: this.wanted.times + 1 }
  }

  // step gives the keyboard to the next proposal in a direction.
  step(by: 1 | -1): void {
    for (let i = this.index + by; i >= 0 && i < this.rows.length; i += by) {
      const row = this.rows[i]
      if (row?.kind !== 'proposal') continue
      this.select(row.key)
      return
    }
  }

  // ---- Deciding

  decide(id: string, accept: boolean): Promise<void> {
    return this.#send([{ id, accept }])
  }

  decideGroup({ branch, suggestion }: Pick<Group, 'branch' | 'suggestion'>, accept: boolean): Promise<void> {
    const own = this.list.filter((p) => p.branch === branch && Boolean(p.suggestion) === suggestion)
    return this.#send(own.map((p) => ({ id: p.id, accept })))
  }

  // startEdit opens a proposal's words. Its sections follow when they are known.
  async startEdit(id: string): Promise<void> {
    const p = this.list.find((x) => x.id === id)
    if (!p) return
    if (p.action === 'remove') return this.#say(text.review.removeNotEdited)
    this.current = id
    this.draft = { id, content: p.content, section: p.section, sections: [], problem: '' }
    try {
      const { sections } = await this.app.bridge.memory(this.root, p.branch)
      if (this.draft?.id === id) this.draft.sections = sections
    } catch {
      // It can be accepted where it was proposed.
    }
  }

  cancelEdit(): void {
    const id = this.draft?.id
    this.draft = undefined
    if (id) this.select(id)
  }

  async acceptEdited(): Promise<void> {
    const draft = this.draft
    const p = this.list.find((x) => x.id === draft?.id)
    if (!draft || !p) return
    const content = draft.content.trim().replace(/\s+/g, ' ')
    if (!content) {
      draft.problem = text.review.emptyRefused
      return
    }
    const decision: Decision = { id: p.id, accept: true }
    if (content !== p.content) decision.content = content
    if (draft.section !== p.section) decision.section = draft.section
    this.draft = undefined
    await this.#send([decision])
  }

  undo(): Promise<void> {
    return this.#after(async () => {
      const step = this.#done.at(-1)
      if (!step) return this.#say(text.review.nothingToUndo)
      try {
        const { left } = await this.app.bridge.undoReview(this.root, step.undo)
        this.#done.pop()
        this.decided = Math.max(0, this.decided - step.count)
        this.loaded.put(left)
        this.#say(text.review.did.undone)
        this.select(step.first)
      } catch (cause) {
        const problem = asProblem(cause)
        if (problem.code === 'changed') {
          this.#done = []
          this.refused = true
        } else this.app.notices.tell(problem)
        void this.loaded.reload()
      }
    })
  }

  #send(decisions: Decision[]): Promise<void> {
    const ids = new Set(decisions.map((d) => d.id))
    const proposals = this.list.filter((p) => ids.has(p.id))
    const first = proposals[0]
    if (!first) return Promise.resolve()
    const next = after(this.list, ids)
    this.#flying = new Set([...this.#flying, ...ids])
    this.decided += proposals.length
    this.select(next)
    return this.#after(async () => {
      try {
        const answer = await this.app.bridge.decide(this.root, decisions)
        const stale = proposals.filter((p) => answer.stale.includes(p.id))
        if (stale.length) this.stale = [...this.stale, ...stale]
        this.decided -= stale.length
        this.loaded.put(answer.left)
        this.#land(ids)
        if (!answer.undo) return
        const count = proposals.length - stale.length
        const step = { undo: answer.undo, first: first.id, count }
        this.#done.push(step)
        const words = decisions[0]?.accept ? text.review.did.accepted : text.review.did.refused
        this.#say(words(count), () => (this.#done.at(-1) === step ? this.undo() : undefined))
      } catch (cause) {
        this.decided -= proposals.length
        this.#land(ids)
        this.app.notices.tell(asProblem(cause))
        this.select(first.id)
        void this.loaded.reload()
      }
    })
  }

  #land(ids: ReadonlySet<string>): void {
    this.#flying = new Set([...this.#flying].filter((id) => !ids.has(id)))
  }

  #say(words: string, undo?: () => Promise<void> | undefined): void {
    if (this.#notice) this.app.notices.dismiss(this.#notice)
    this.app.notices.say(words, undo)
    this.#notice = this.app.notices.list.at(-1)?.id ?? 0
  }

  #after(work: () => Promise<void>): Promise<void> {
    const run = this.#tail.then(work)
    this.#tail = run.catch(() => undefined)
    return run
  }
}

// after gives the id of the proposal that follows those that go, else of the one
// before them, else "".
function after(list: Proposal[], going: ReadonlySet<string>): string {
  const last = list.findLastIndex((p) => going.has(p.id))
  const follows = list.slice(last + 1).find((p) => !going.has(p.id))
  return (follows ?? list.findLast((p) => !going.has(p.id)))?.id ?? ''
}

// groupsOf puts what must be decided first.
function groupsOf(list: Proposal[]): Group[] {
  return [false, true].flatMap((suggestion) => {
    const groups = new Map<string, Group>()
    for (const p of list.filter((x) => Boolean(x.suggestion) === suggestion)) {
      const group = groups.get(p.branch)
      if (group) group.proposals.push(p)
      else groups.set(p.branch, { branch: p.branch, suggestion, proposals: [p] })
    }
    return [...groups.values()]
  })
}

function inGroups(list: Proposal[]): Proposal[] {
  return groupsOf(list).flatMap((g) => g.proposals)
}
