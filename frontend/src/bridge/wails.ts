import { EventsOn } from '../../wailsjs/runtime/runtime'
import type { Bridge } from './bridge'
import { asProblem } from './problem'
import type { Events } from './types'

declare global {
  interface Window {
    go?: { app?: { Bridge?: object } }
  }
}

type Call = (...args: unknown[]) => Promise<unknown>

// What Wails generates from the Go methods. Only its functions are taken: its
// types are rougher than the contract's. A test holds the two together.
export const bound: Record<string, Call> = Object.assign(
  {},
  ...Object.values(import.meta.glob<Record<string, Call>>('../../wailsjs/go/app/Bridge.js', { eager: true })),
)

// inWails says whether the page runs in the desktop app.
export function inWails(): boolean {
  return window.go?.app?.Bridge !== undefined
}

// wailsBridge calls the Go methods of the same names, which begin with a
// capital there.
export function wailsBridge(): Bridge {
  const on = <E extends keyof Events>(event: E, handle: (data: Events[E]) => void) => EventsOn(event, handle)
  const bridge: Record<string, unknown> = { on }
  for (const [name, method] of Object.entries(bound)) {
    bridge[name.charAt(0).toLowerCase() + name.slice(1)] = answering(method)
  }
  return bridge as unknown as Bridge
}

function answering(method: Call): Call {
  return async (...args) => {
    try {
      return await method(...args)
    } catch (cause) {
      throw asProblem(cause)
    }
  }
}
