import type { Bridge } from './bridge'
import { asProblem } from './problem'
import type { Events } from './types'

type Bound = Record<string, (...args: unknown[]) => Promise<unknown>>

declare global {
  interface Window {
    go?: { app?: { Bridge?: Bound } }
    runtime?: { EventsOn(event: string, handle: (data: never) => void): () => void }
  }
}

// inWails says whether the page runs in the desktop app.
export function inWails(): boolean {
  return window.go?.app?.Bridge !== undefined
}

// wailsBridge calls the Go methods of the same names, which begin with a
// capital there.
export function wailsBridge(): Bridge {
  const bound = window.go?.app?.Bridge
  if (!bound) throw new Error('the bridge to the program is missing')
  const on = <E extends keyof Events>(event: E, handle: (data: Events[E]) => void) =>
    window.runtime?.EventsOn(event, handle as (data: never) => void) ?? (() => {})
  return new Proxy({ on } as Bridge, {
    get(target, name, receiver) {
      if (typeof name !== 'string' || name in target) return Reflect.get(target, name, receiver)
      const method = bound[name.charAt(0).toUpperCase() + name.slice(1)]
      // A bridge is no promise, though await asks it.
      if (!method) return undefined
      return async (...args: unknown[]) => {
        try {
          return await method(...args)
        } catch (cause) {
          throw asProblem(cause)
        }
      }
    },
  })
}
