import type { Bridge, Version } from '../../bridge'
import { Resource } from '../../state/resource.svelte'

// NOW is the id of the state that no version was kept of.
export const NOW = 'now'

export interface Pair {
  older: Version
  newer: Version
  before: string // text of the older
  after: string
}

// TimelineModel is the timeline of a memory, and the two of it that are compared.
export class TimelineModel {
  older = $state('') // id of a version
  newer = $state('')
  readonly list: Resource<Version[]>
  readonly pair: Resource<Pair | undefined>
  // What never changes is loaded once: the state of now does.
  #texts = new Map<string, Promise<string>>()

  constructor(
    private bridge: Bridge,
    private root: string,
    private branch: string,
  ) {
    this.list = new Resource(() => this.#states())
    this.pair = new Resource(() => this.#compare())
  }

  // reload reads the timeline. Versions that are compared stay chosen as long as
  // they are there; else it is the newest against the one before it.
  async reload(): Promise<void> {
    const newest = this.list.value?.[0]?.id
    await this.list.reload()
    const all = this.list.value ?? []
    const there = (id: string) => all.some((v) => v.id === id)
    const follows = this.newer === newest
    if (!there(this.newer) || !there(this.older) || (follows && all[0]?.id !== newest)) {
      this.newer = all[0]?.id ?? ''
      this.older = all[1]?.id ?? ''
    }
    await this.pair.reload()
  }

  chooseOlder(id: string): void {
    this.older = id
    // A version is not compared with one before it the other way round.
    if (this.#index(this.newer) >= this.#index(id))
      this.newer = this.#all[this.#index(id) - 1]?.id ?? this.newer
    void this.pair.reload()
  }

  chooseNewer(id: string): void {
    this.newer = id
    if (this.#index(this.older) <= this.#index(id))
      this.older = this.#all[this.#index(id) + 1]?.id ?? this.older
    void this.pair.reload()
  }

  // change is how many items a version has more than the one before it;
  // undefined for the first.
  change(index: number): number | undefined {
    const before = this.#all[index + 1]
    const version = this.#all[index]
    return before && version ? version.items - before.items : undefined
  }

  get #all(): Version[] {
    return this.list.value ?? []
  }

  #index(id: string): number {
    return this.#all.findIndex((v) => v.id === id)
  }

  async #compare(): Promise<Pair | undefined> {
    const older = this.#all[this.#index(this.older)]
    const newer = this.#all[this.#index(this.newer)]
    if (!older || !newer) return undefined
    const [before, after] = await Promise.all([this.#text(older), this.#text(newer)])
    return { older, newer, before, after }
  }

  // The kept versions, and what the file is now if that is none of them: after an
  // edit by hand.
  async #states(): Promise<Version[]> {
    const kept = (await this.bridge.versions(this.root, this.branch)) ?? []
    if (!kept.length || kept.some((v) => v.current)) return kept
    const { exists, updated, items } = await this.bridge.memory(this.root, this.branch)
    if (!exists) return kept
    return [{ id: NOW, saved: updated ?? '', items: items.length, current: true }, ...kept]
  }

  async #now(): Promise<string> {
    return (await this.bridge.memory(this.root, this.branch)).markdown ?? ''
  }

  #text(version: Version): Promise<string> {
    if (version.id === NOW) return this.#now()
    const known = this.#texts.get(version.id)
    if (known) return known
    const loading = this.bridge.versionText(this.root, this.branch, version.id)
    if (version.current) return loading
    this.#texts.set(version.id, loading)
    loading.catch(() => this.#texts.delete(version.id))
    return loading
  }
}
