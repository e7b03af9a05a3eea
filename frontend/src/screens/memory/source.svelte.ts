import type { Item, Place } from '../../bridge'
import type { App } from '../../state/app.svelte'
import { keep, kept } from '../../state/kept'
import { Resource } from '../../state/resource.svelte'
import { type Asked, placesOf } from './places'

// ROOMY is the width in pixels from which on the panel stands beside a list by
// itself, until somebody closes it.
const ROOMY = 1500
const KEY = 'source.beside'

// SourceModel is the panel that shows where something came from.
export class SourceModel {
  asked = $state.raw<Asked | undefined>()
  readonly found: Resource<{ item?: Item; places: Place[] }>

  constructor(
    private app: App,
    private root: string,
  ) {
    this.found = new Resource(() => {
      const { asked } = this
      return asked ? placesOf(this.app.bridge, this.root, asked) : Promise.resolve({ places: [] })
    })
  }

  // open looks up another source; the answer for one before it is dropped.
  open(asked: Asked): void {
    this.asked = asked
    this.found.clear()
    void this.found.reload()
  }

  // standsAt says whether the panel is there without being asked for, in a window
  // of some width.
  standsAt(width: number): boolean {
    return width >= ROOMY && kept(KEY) !== 'closed'
  }

  // wish notes whether a person wants to see the panel.
  wish(seen: boolean): void {
    keep(KEY, seen ? 'open' : 'closed')
  }

  close(): void {
    this.asked = undefined
    this.found.clear()
  }
}
