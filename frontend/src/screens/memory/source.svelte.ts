import type { Item, Place } from '../../bridge'
import type { App } from '../../state/app.svelte'
import { Resource } from '../../state/resource.svelte'
import { type Asked, placesOf } from './places'

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

  close(): void {
    this.asked = undefined
    this.found.clear()
  }
}
