import { asProblem, type BridgeProblem, type Item, type Memory, type Section } from '../../bridge'
import type { App } from '../../state/app.svelte'
import { text } from '../../text'
import { Edits } from './edits.svelte'
import type { Told } from './marks'
import { type Group, groupsOf, type Row, rowsOf } from './rows'

// MOST is how many characters an item may have.
export const MOST = 2000

// Draft is what is being written: new words for an item, or a new item.
export interface Draft {
  id: string // of the item; "": a new one
  section: string
  was: string // what the person saw before
  text: string
  problem?: BridgeProblem
  saving: boolean
}

// Loaded is where the memory comes from; a Resource is one.
export interface Loaded {
  readonly value: Memory | undefined
  put(memory: Memory): void
  reload(): Promise<void>
}

// MemoryModel is one branch's memory as it is shown and changed. A branch that
// is left keeps its model: answers that come late change nothing else.
export class MemoryModel {
  readonly edits: Edits
  search = $state('')
  selected = $state('') // key of the row with the keyboard, "": none yet
  draft = $state<Draft | undefined>()
  told = $state.raw<ReadonlyMap<string, Told>>(new Map()) // what assistants hear, by item
  // The row that wants the keyboard: its key, and how often that was said.
  wanted = $state.raw({ key: '', times: 0 })
  groups: Group[] = $derived.by(() => (this.loaded.value ? groupsOf(this.loaded.value) : []))
  #byId = $derived(new Map(this.groups.flatMap((g) => g.items.map((i) => [i.id, i] as const))))
  // The draft is of no item: of a new one, or the item went away meanwhile.
  adding = $derived(this.draft !== undefined && !this.#byId.has(this.draft.id))
  rows: Row[] = $derived(
    rowsOf(this.groups, this.search, this.adding ? (this.draft?.section ?? '') : '', this.draft?.id ?? ''),
  )
  index: number = $derived.by(() => {
    const at = this.rows.findIndex((r) => r.key === this.selected)
    if (at >= 0) return at
    // Its row is gone: what stands there now, at the start the first item.
    return this.selected ? clamp(this.#last, this.rows.length) : Math.max(0, this.#itemFrom(0, 1))
  })
  shown = $derived(this.rows.reduce((n, r) => n + (r.kind === 'item' ? 1 : 0), 0))
  total = $derived(this.#byId.size)
  sections: Section[] = $derived(this.groups.map((g) => g.section))
  #last = 0

  constructor(
    private app: App,
    readonly root: string,
    readonly branch: string,
    private loaded: Loaded,
  ) {
    this.edits = new Edits(app, {
      root,
      branch,
      put: (m) => loaded.put(m),
      reload: () => loaded.reload(),
    })
  }

  get memory(): Memory | undefined {
    return this.loaded.value
  }

  item(id: string): Item | undefined {
    return this.#byId.get(id)
  }

  // current is the item with the keyboard, if it is on one.
  get current(): Item | undefined {
    const row = this.rows[this.index]
    return row?.kind === 'item' ? row.item : undefined
  }

  // activate notes that a row has the keyboard.
  activate(index: number): void {
    const row = this.rows[index]
    if (!row) return
    this.#last = index
    this.selected = row.key
  }

  // select gives the keyboard to a row.
  select(key: string): void {
    if (!key) return
    this.activate(this.rows.findIndex((r) => r.key === key))
    this.#want(key)
  }

  // step gives the keyboard to the next item in a direction.
  step(by: 1 | -1): void {
    const to = this.rows[this.#itemFrom(this.index + by, by)]
    if (to?.kind === 'item') this.select(to.key)
  }

  // ---- Writing

  async startEdit(id: string): Promise<void> {
    await this.#finish()
    const item = this.item(id)
    if (!item || this.draft) return
    this.activate(this.rows.findIndex((r) => r.key === id))
    this.draft = { id, section: item.section, was: item.content, text: item.content, saving: false }
  }

  // startAdd opens a new item at the end of a section.
  async startAdd(section = (this.rows[this.index]?.section ?? this.sections[0])?.id): Promise<void> {
    await this.#finish()
    if (!section || this.draft) return
    this.draft = { id: '', section, was: '', text: '', saving: false }
    this.activate(this.rows.findIndex((r) => r.kind === 'new'))
  }

  // What was begun elsewhere is saved first, or stays open if that is refused.
  async #finish(): Promise<void> {
    const draft = this.draft
    if (!draft || draft.saving) return
    if (draft.text.trim()) await this.save()
    else this.draft = undefined
  }

  cancel(): void {
    const draft = this.draft
    if (!draft || draft.saving) return
    this.draft = undefined
    const back = this.item(draft.id)?.id ?? this.rows[this.index]?.key
    this.select(back ?? '')
  }

  // save sends the draft. If it is refused it stays, with the reason.
  async save(): Promise<void> {
    const draft = this.draft
    if (!draft || draft.saving) return
    const content = draft.text.trim().replace(/\s+/g, ' ')
    if (!content) {
      draft.problem = asProblem({ code: 'empty', message: text.memory.emptyRefused })
      return
    }
    if (content === this.item(draft.id)?.content) return this.cancel()
    draft.saving = true
    draft.problem = undefined
    try {
      const known = this.#byId
      const old = known.has(draft.id)
      const { bridge } = this.app
      const edited = await this.edits.make(old ? text.memory.did.edit : text.memory.did.add, () =>
        old
          ? bridge.editItem(this.root, this.branch, draft.id, content, draft.was)
          : bridge.addItem(this.root, this.branch, draft.section, content),
      )
      const fresh = edited?.memory.items.find((i) => i.state === 'active' && !known.has(i.id))
      this.draft = undefined
      this.select((old ? draft.id : fresh?.id) ?? this.rows[this.index]?.key ?? '')
    } catch (cause) {
      await this.#kept(draft, asProblem(cause))
    }
  }

  // leave saves what is being written when its screen goes away: undoing it is
  // easier than writing it again.
  async leave(): Promise<void> {
    const draft = this.draft
    if (!draft || draft.saving || !draft.text.trim() || draft.text === draft.was) return
    await this.save()
    if (draft.problem) this.app.notices.tell(draft.problem)
  }

  // #kept keeps a draft open that was refused. If the item says something else by
  // now, that is shown, and saving again goes over it.
  async #kept(draft: Draft, problem: BridgeProblem): Promise<void> {
    if (problem.code === 'changed') {
      await this.loaded.reload()
      draft.was = this.item(draft.id)?.content ?? draft.was
      draft.problem = asProblem({ ...text.memory.changedMeanwhile(draft.was), code: problem.code })
    } else draft.problem = problem
    draft.saving = false
  }

  // ---- Changing at once

  async pin(id: string): Promise<void> {
    const item = this.item(id)
    if (!item) return
    const pinned = !item.pinned
    await this.edits.tryMake(pinned ? text.memory.did.pin : text.memory.did.unpin, () =>
      this.app.bridge.pinItem(this.root, this.branch, id, pinned),
    )
  }

  // remove deletes an item and selects the one after it, else the one before.
  async remove(id: string): Promise<void> {
    const at = this.rows.findIndex((r) => r.key === id)
    const after = this.rows[this.#itemFrom(at + 1, 1)]
    const next = after?.kind === 'item' ? after : this.rows[this.#itemFrom(at - 1, -1)]
    const mine = this.rows[this.index]?.key === id
    const edited = await this.edits.tryMake(text.memory.did.remove, () =>
      this.item(id) ? this.app.bridge.removeItems(this.root, this.branch, [id]) : undefined,
    )
    if (edited && mine) this.select((next ?? this.rows[0])?.key ?? '')
  }

  // moveTo puts an item before another of a section; before "": at its end.
  async moveTo(id: string, section: string, before = ''): Promise<void> {
    const was = this.item(id)?.section
    const what =
      was === section
        ? text.memory.did.place
        : text.memory.did.move(this.sections.find((s) => s.id === section)?.heading ?? section)
    const edited = await this.edits.tryMake(what, () =>
      this.#stays(id, section, before)
        ? undefined
        : this.app.bridge.moveItem(this.root, this.branch, id, section, before),
    )
    if (edited) this.select(id)
  }

  // shift moves an item one place up or down among those shown, over the edge of
  // its section into the next.
  async shift(id: string, by: 1 | -1): Promise<void> {
    const edited = await this.edits.tryMake(text.memory.did.place, () => {
      const to = this.#neighbour(id, by)
      return to && this.app.bridge.moveItem(this.root, this.branch, id, to.section, to.before)
    })
    if (edited) this.select(id)
  }

  async clear(): Promise<void> {
    const edited = await this.edits.tryMake(text.memory.did.clear, () =>
      this.app.bridge.clearMemory(this.root, this.branch),
    )
    if (edited) this.selected = ''
  }

  // restore makes the memory what it was in a version, whose date is told.
  async restore(version: string, when: string): Promise<void> {
    await this.edits.tryMake(text.memory.did.restore(when), () =>
      this.app.bridge.restore(this.root, this.branch, version),
    )
  }

  #stays(id: string, section: string, before: string): boolean {
    if (before === id) return true
    const items = this.groups.find((g) => g.section.id === section)?.items ?? []
    const at = items.findIndex((i) => i.id === id)
    return at >= 0 && (items[at + 1]?.id ?? '') === before
  }

  #neighbour(id: string, by: 1 | -1): { section: string; before: string } | undefined {
    const visible = new Set(this.rows.map((r) => r.key))
    const g = this.groups.findIndex((x) => x.items.some((i) => i.id === id))
    const group = this.groups[g]
    if (!group) return undefined
    const items = group.items.filter((i) => visible.has(i.id))
    const at = items.findIndex((i) => i.id === id)
    const over = items[at + by]
    const section = group.section.id
    if (over && by < 0) return { section, before: over.id }
    if (over) return { section, before: group.items[group.items.indexOf(over) + 1]?.id ?? '' }
    const next = this.groups[g + by]
    if (!next) return undefined
    return { section: next.section.id, before: by < 0 ? '' : (next.items[0]?.id ?? '') }
  }

  // itemFrom gives the index of the first row with an item from there on, -1:
  // there is none.
  #itemFrom(index: number, by: 1 | -1): number {
    for (let i = index; i >= 0 && i < this.rows.length; i += by) {
      if (this.rows[i]?.kind === 'item') return i
    }
    return -1
  }

  #want(key: string): void {
    this.wanted = { key, times: this.wanted.times + 1 }
  }
}

function clamp(n: number, length: number): number {
  return Math.max(0, Math.min(length - 1, n))
}
