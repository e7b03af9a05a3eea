// What came with a project and waits for the person's yes. See types.ts.
import type { Time } from './types'

export type ClaimKind = 'setting' | 'link' | 'memory' | 'state'

export interface Claim {
  kind: ClaimKind
  name: string // the setting's key; the context file; the branch; what of the state
  value?: unknown // as it stands in the file; of "memory": ClaimedItem[]
  words: string // one sentence: what would happen with a yes
  given: boolean // the person said yes to exactly this
}

// ClaimedItem is an item as a yes is bound to it.
export interface ClaimedItem {
  section: string
  content: string
  from?: string // whom git names as its authors, in one line
}

export interface Trust {
  root: string
  status: 'nothing' | 'asked' | 'given' | 'changed' // changed: was given, asks for something else now
  digest: string // of all claims: a yes names it, so that it is to what was shown
  claims: Claim[] | null
  at?: Time // of the last yes
}
