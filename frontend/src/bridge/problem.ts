import { hints } from '../text/en/hints'
import type { Problem } from './types'

// BridgeProblem is every error that a call across the bridge ends with.
export class BridgeProblem extends Error implements Problem {
  readonly code: string
  readonly hint?: string
  readonly detail?: string

  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'BridgeProblem'
    this.code = problem.code
    this.hint = problem.hint
    this.detail = problem.detail
  }
}

// asProblem turns whatever a call was rejected with into a BridgeProblem: an
// object or JSON text as Go sends it, an Error, or anything else.
export function asProblem(cause: unknown): BridgeProblem {
  if (cause instanceof BridgeProblem) return cause
  const sent = problemIn(cause)
  if (sent) return new BridgeProblem(sent)
  const message = cause instanceof Error ? cause.message : String(cause ?? '')
  return new BridgeProblem({ code: 'unknown', message: message || 'something went wrong without a message' })
}

function problemIn(cause: unknown): Problem | undefined {
  let value = cause
  if (value instanceof Error) value = value.message
  if (typeof value === 'string' && value.startsWith('{')) {
    try {
      value = JSON.parse(value)
    } catch {
      return undefined
    }
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { code, message, hint, detail } = value as Record<string, unknown>
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  return { code, message, hint: inWindow(code, text(hint)), detail: text(detail) }
}

// inWindow puts a hint for the window in place of one for the command line:
// a command or an option.
function inWindow(code: string, hint: string | undefined): string | undefined {
  return hint !== undefined && /\brecollect [a-z]|--[a-z]/.test(hint) ? (hints[code] ?? hint) : hint
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
