import type { Injection, Item, Target } from '../../bridge'
import type { App } from '../../state/app.svelte'
import type { Resource } from '../../state/resource.svelte'
import { text } from '../../text'

const t = text.injection

// Line is an item with why it is in the block, or why it is not.
export interface Line {
  id: string
  item: Item | undefined // none if the policy named what is not there
  why: string
}

export function shownLines(i: Injection): Line[] {
  const items = byId(i)
  return (i.block.shown ?? []).map((s) => ({ id: s.id, item: items.get(s.id), why: s.why ?? '' }))
}

export function leftLines(i: Injection): Line[] {
  const items = byId(i)
  return (i.block.left ?? []).map((l) => ({
    id: l.id,
    item: items.get(l.id),
    why: t.leftBecause(t.reasons[l.reason] ?? l.reason, l.why ?? '', items.get(l.by ?? '')?.content ?? ''),
  }))
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

  async turnOn(): Promise<void> {
    await this.app.run(() => this.app.bridge.setSetting(this.app.root, 'inject.enabled', true, false))
    await this.loaded.reload()
  }
}
