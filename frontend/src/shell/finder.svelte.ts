import type { Item } from '../bridge'
import { matcher } from '../screens/memory/rows'
import type { App } from '../state/app.svelte'
import { text } from '../text'
import type { Command } from './commands'

interface Place {
  branch: string
  item: Item
}

const BRANCHES = 60 // that are read: those worked on last
const SHOWN = 12

// Finder finds items of the current project by words. It reads the memories when
// it is told to, each once; a branch that can't be read has no items here.
export class Finder {
  #places = $state.raw<Place[]>([])
  #run = 0

  constructor(private app: App) {}

  // read reads the project's memories, that of the current branch first.
  async read(): Promise<void> {
    const run = ++this.#run
    const { bridge, root, branch } = this.app
    const names = (this.app.branches.value ?? [])
      .filter((b) => b.items > 0 && !b.problem)
      .map((b) => b.name)
      .sort((a, b) => Number(b === branch) - Number(a === branch))
    this.#places = []
    for (const name of names.slice(0, BRANCHES)) {
      const memory = await bridge.memory(root, name).catch(() => undefined)
      if (run !== this.#run) return
      const active = (memory?.items ?? []).filter((i) => i.state === 'active')
      this.#places = [...this.#places, ...active.map((item) => ({ branch: name, item }))]
    }
  }

  // forget drops what was read.
  forget(): void {
    this.#run++
    this.#places = []
  }

  // find gives the items that have all of the words, one that several branches
  // remember once, and how many more there are.
  find(words: string): { hits: Command[]; more: number } {
    const matches = words.trim().length > 1 ? matcher(words) : undefined
    if (!matches) return { hits: [], more: 0 }
    const found = new Map<string, Place>()
    for (const place of this.#places) {
      const { content } = place.item
      if (!found.has(content) && matches(place.item)) found.set(content, place)
    }
    const hits = [...found.values()].slice(0, SHOWN).map(
      ({ branch, item }): Command => ({
        id: `item-${branch}-${item.id}`,
        group: 'items',
        icon: 'memory',
        label: item.content,
        note: text.branch.label(branch),
        lands: true,
        run: () => this.app.wish('memory', 'item', item.id, branch),
      }),
    )
    return { hits, more: Math.max(0, found.size - SHOWN) }
  }
}
