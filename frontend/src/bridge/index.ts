import type { Bridge } from './bridge'
import { inWails, wailsBridge } from './wails'

export type { Bridge } from './bridge'
export { asProblem, BridgeProblem } from './problem'
export type * from './types'

// connect gives the bridge to the Go program. In a plain browser it is a fake
// one, but only of the dev server and of builds for that: nobody may take made
// up data for theirs.
export async function connect(): Promise<Bridge> {
  if (inWails()) return wailsBridge()
  if (import.meta.env.DEV || import.meta.env.MODE === 'fake') {
    const { fakeBridge } = await import('./fake')
    return fakeBridge(new URLSearchParams(location.search))
  }
  throw new Error('this page belongs into the window of Recollect')
}
