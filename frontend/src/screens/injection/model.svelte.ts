import { asProblem, type Injection, type Item, type Target } from '../../bridge'
import type { App } from '../../state/app.svelte'
import type { Resource } from '../../state/resource.svelte'
import { text } from '../../text'

const t = text.injection

// Line is an item with why it is in the block, or why it is not.
export interface Line {
  id: string
  item: Item | undefined // none if the policy named what is not there
  why: string
  cures: Cure[]
}

// Cure is what a person can do about an item that is left out, by one click.
export type Cure = 'pin' | 'decide' | 'look' | 'edit'

const MOST = 8000 // tokens, of a budget

// roomFor gives the budget with which all that lacks room would fit; undefined
// where nothing lacks it, or no budget is enough.
export function roomFor(i: Injection): number | undefined {
  const { full } = i.block
  if (!full) return undefined
  const wanted = Math.ceil((full * 1.03) / 100) * 100
  return wanted <= MOST ? wanted : undefined
}

export function shownLines(i: Injection): Line[] {
  const items = byId(i)
  return (i.block.shown ?? []).map((s) => ({ id: s.id, item: items.get(s.id), why: s.why ?? '', cures: [] }))
}

export function leftLines(i: Injection): Line[] {
  const items = byId(i)
  return (i.block.left ?? []).map((l) => {
    const item = items.get(l.id)
    const reason =
      l.reason === 'budget' && item ? lackOf(i, item, l.needs) : (t.reasons[l.reason] ?? l.reason)
    return {
      id: l.id,
      item,
      why: t.leftBecause(reason, l.why ?? '', items.get(l.by ?? '')?.content ?? ''),
      cures: curesOf(l.reason, item),
    }
  })
}

// lackOf says why there was no room for just this item: the place of its section
// among all, what that gets, what the item takes and what was left.
function lackOf(i: Injection, item: Item, needs = 0): string {
  const { order = [], shares, tokens } = i.block
  const at = order.indexOf(item.section)
  const section = text.general.sections[item.section] ?? item.section
  return t.noRoom({
    section,
    pinned: item.pinned ?? false,
    place: at < 0 ? undefined : { n: at + 1, of: order.length },
    share: shares?.[item.section],
    needs,
    free: Math.max(0, i.budget - tokens),
    budget: i.budget,
  })
}

function curesOf(reason: string, item: Item | undefined): Cure[] {
  if (item?.state !== 'active') return []
  if (reason === 'contradicted') return ['decide']
  if (reason === 'unseen') return ['look']
  if (reason === 'blank') return ['edit']
  return ['budget', 'not selected', 'length'].includes(reason) && !item.pinned ? ['pin'] : []
}

function byId(i: Injection): Map<string, Item> {
  return new Map(i.items.map((item) => [item.id, item]))
}

// changes says whether writing would change a file.
export function changes(target: Target): boolean {
  return target.outcome === 'written' || target.outcome === 'removed'
}

// hasBlock says whether our block is in a file now.
export function hasBlock(target: Target): boolean {
  return (target.before ?? '').includes('<!-- recollect:begin')
}

// words tell what became of a target.
export function words(target: Target): string {
  const did = (t.did[target.outcome] ?? t.did.failed)?.(target.name) ?? target.name
  return target.reason ? t.why(did.replace(/\.$/, ''), target.reason) : did
}

// InjectionModel writes and takes out, and tells what came of it.
export class InjectionModel {
  busy = $state(false)

  constructor(
    readonly app: App,
    readonly loaded: Resource<Injection | null>,
  ) {}

  // write writes the block that is shown, or takes it out. other is the person's yes
  // to the block of a branch that is not checked out.
  async write(names: string[], remove: boolean, other: boolean): Promise<void> {
    const { root } = this.app
    const branch = this.loaded.value?.branch
    if (!root || branch === undefined || this.busy) return
    this.busy = true
    const done = await this.app.run(() => this.app.bridge.inject(root, branch, names, remove, other))
    for (const target of done?.targets ?? []) this.app.notices.say(words(target))
    this.busy = false
    await this.loaded.reload()
  }

  // pin has an item come before all others, whatever its section.
  async pin(item: Item): Promise<void> {
    const { root, branch, bridge } = this.app
    if (branch === null || this.busy) return
    this.busy = true
    const edited = await this.app.run(() => bridge.pinItem(root, branch, item.id, true))
    this.busy = false
    await this.loaded.reload()
    if (edited)
      this.app.notices.say(t.pinned, () => this.#back(() => bridge.undoEdit(root, branch, edited.undo)))
  }

  // setBudget changes the budget where it was set, and offers to take that back.
  async setBudget(tokens: number): Promise<void> {
    const { root, bridge } = this.app
    if (this.busy) return
    this.busy = true
    const before = await this.app.run(() => bridge.settings(root))
    const was = before?.find((s) => s.key === 'inject.budget')
    const own = was?.from === 'project'
    const done = was && (await this.app.run(() => bridge.setSetting(root, 'inject.budget', tokens, !own)))
    this.busy = false
    await this.loaded.reload()
    if (!done) return
    const old = was.from === 'default' ? null : was.value
    this.app.notices.say(t.budgetRaised(tokens), () =>
      this.#back(() => bridge.setSetting(root, 'inject.budget', old, !own)),
    )
  }

  async #back(undo: () => Promise<unknown>): Promise<void> {
    try {
      await undo()
    } catch (cause) {
      this.app.notices.tell(asProblem(cause))
    }
    await this.loaded.reload()
  }

  // cure does what a line offers.
  cure(cure: Cure, item: Item): void {
    if (cure === 'pin') void this.pin(item)
    else if (cure === 'decide') this.app.go({ screen: 'conflicts' })
    else if (cure === 'look') this.app.showTrust()
    else this.app.wish('memory', 'item', item.id)
  }

  async turnOn(): Promise<void> {
    await this.app.run(() => this.app.bridge.setSetting(this.app.root, 'inject.enabled', true, false))
    await this.loaded.reload()
  }
}
