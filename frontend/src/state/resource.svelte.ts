import { onDestroy, untrack } from 'svelte'
import { asProblem, type BridgeProblem, type Events } from '../bridge'
import { useApp } from './app.svelte'

export type Changed = Events['changed']['what']

// Resource is something that is loaded: value is undefined until the first
// answer. Answers that a later call overtook are dropped.
export class Resource<T> {
  value = $state.raw<T | undefined>(undefined)
  problem = $state.raw<BridgeProblem | undefined>(undefined)
  loading = $state(false)
  #run = 0
  #load: () => Promise<T>

  constructor(load: () => Promise<T>) {
    this.#load = load
  }

  // reload loads again and keeps the old value meanwhile. It never rejects.
  async reload(): Promise<void> {
    const run = ++this.#run
    this.loading = true
    try {
      const value = await this.#load()
      if (run !== this.#run) return
      this.value = value
      this.problem = undefined
    } catch (cause) {
      if (run !== this.#run) return
      this.problem = asProblem(cause)
    }
    this.loading = false
  }

  // clear forgets the value, and any answer that is on its way.
  clear(): void {
    this.#run++
    this.value = undefined
    this.problem = undefined
    this.loading = false
  }

  // put sets the value that a call answered with, over any answer on its way.
  put(value: T): void {
    this.#run++
    this.value = value
    this.problem = undefined
    this.loading = false
  }
}

// resource loads for as long as the component lives, to be called while it is
// set up. What load reads before its first await is watched: when that changes
// the old value is forgotten and load runs again. It also runs again, keeping
// the old value, when one of the named things changed in the current project.
export function resource<T>(load: () => Promise<T>, on: Changed[] = []): Resource<T> {
  const app = useApp()
  let started: Promise<T> | undefined
  const r = new Resource<T>(() => started ?? load())
  $effect.pre(() => {
    const promise = load()
    // reload takes it over before anything is awaited.
    untrack(() => {
      started = promise
      r.clear()
      void r.reload()
      started = undefined
    })
  })
  onDestroy(
    app.bridge.on('changed', (e) => {
      if (on.includes(e.what) && (e.root === '' || e.root === app.route.root)) void r.reload()
    }),
  )
  return r
}
