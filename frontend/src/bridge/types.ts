// The shapes that cross the bridge. Go's JSON names are the same; what Go omits
// when empty is optional here. Times are RFC 3339, durations nanoseconds, money
// millionths of a US dollar, confidences 0 to 1.

import type { Absent, Tried } from './types.plugins'

export type * from './types.person'
export type * from './types.plugins'
export type * from './types.trust'

export type Time = string

// Problem is an error as a person can use it. code is stable: "busy", "refused",
// "changed", "cancelled", …
export interface Problem {
  code: string
  message: string
  hint?: string
  detail?: string // for a plug-in's author
  exit?: number
}

// ---- Projects and branches

export interface Project {
  root: string
  name: string
  exists: boolean // its folder is still there
  memory: boolean // it has a memory folder
  assistants: string[] // whose history names it: "claude-code", …
  sessions: number
  last_active?: Time
  counts?: Counts // missing: nothing is known of it yet
}

// Counts are those of a project over all branches.
export interface Counts {
  new_turns: number // not memorized yet
  items: number
  review: number // proposals that wait
  conflicts: number // open ones
  asked: number // settings of the project that wait for the person's yes
}

export interface Assistant {
  name: string
  found: boolean
  where: string // the folder that was looked at
  projects: number
  sessions: number
  problem?: Problem // something is there that can't be read
}

export interface Branch {
  name: string
  current: boolean // checked out now
  sessions: number
  turns: number
  new_turns: number // not memorized yet
  items: number
  waiting: number // proposals that wait for review
  block_tokens: number // of what would be injected; -1: not prepared yet
  unseen?: number // items that came with the repository and were not looked at
  last_active?: Time
  problem?: Problem // its memory can't be read; items and block_tokens say nothing then
}

// Head is what git has checked out in the project's folder.
export interface Head {
  state: 'branch' | 'detached' | 'none' | 'unknown' // none: there is no git
  branch: string // whose memory belongs there; "": unknown
}

// ---- Work that takes long

export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

export interface Job {
  id: number
  by: 'window' | 'service' // the process that runs it
  root: string
  project: string // name
  kind: 'memorize' | 'preview' | 'try' | 'approve' | 'maintain'
  state: JobState
  branch?: string
  number: number // of this branch, from 1
  branches: number
  step?: string // "read", "extract", "merge", "save", "compile" (plug-ins are made ready, once)
  plugin?: string
  done: number
  total: number
  started?: Time
  ended?: Time
  reports?: BranchReport[] // of memorize and preview
  tried?: Tried // of try
  maintained?: { outcome: string; parts: { kind: string; name: string; outcome: string; words: string }[] } // of maintain
  problem?: Problem // of failed
}

export type Outcome = 'memorized' | 'proposed' | 'unchanged' | 'empty' | 'skipped' | 'failed'

export interface BranchReport {
  branch: string
  outcome: Outcome
  reason?: string
  new_turns: number
  items: number
  found: number
  changes?: Change[] // with review also what waits
  waiting?: number // proposals that wait, of a run with review
  suggestions?: number // that wait, with review or without
  conflicts?: unknown[]
  rejected?: Rejection[]
  redacted: number
  warnings?: string[]
  duration_ns: number
  problem?: Problem
  absent?: Absent[] // plug-ins that it was done without
}

export interface MemorizeRequest {
  branches: string[] // exact names; none: every branch with history
  again?: boolean // read every turn again
  preview?: boolean // write nothing; the job's reports say what would come
  extractors?: string[] // instead of those of the settings
  unwanted?: Record<string, string[]> // by branch: ids of what a preview would add, and the person does not want
}

export interface Change {
  action: 'added' | 'updated' | 'superseded' | 'removed' | 'kept'
  id: string
  section: string
  content: string
  why?: string
  by?: string
}

export interface Rejection {
  extractor: string
  section?: string
  content?: string
  reason: string
}

// ---- Memory

export interface Section {
  id: string
  heading: string
  guidance?: string
}

export interface Origin {
  extractor: string // plug-in id, "person", "puffin", "unknown"
  source?: string
  session?: string
  records?: string[]
  time: Time
}

export interface Item {
  id: string
  section: string
  content: string
  confidence: number
  rationale?: string
  state: 'active' | 'superseded' | 'removed'
  superseded_by?: string
  why?: string
  pinned?: boolean
  unseen?: boolean // came with the repository and was not looked at
  from?: string // of an unseen one: whom git names as its authors, in one line
  created: Time
  updated: Time
  origins?: Origin[]
}

export interface Damage {
  file: string
  line: number
  why: string
  marks?: boolean // only marks of git's merge: both sides are read
}

export interface Memory {
  branch: string
  exists: boolean
  file?: string // path of the Markdown
  updated?: Time
  sections: Section[] // in order
  items: Item[] // active ones, in the Markdown's order
  unseen?: number // of them, came with the repository and were not looked at
  markdown?: string
  damage?: Damage[]
}

export interface Edited {
  memory: Memory // without markdown
  changes?: Change[]
  undo: string // hand to undoEdit; "" if nothing changed. That of an undo makes the edit again
  warnings?: string[] // "a secret was taken out before it was saved"
  stale_blocks?: StaleBlock[] // since the edit
}

export interface Version {
  id: string
  saved: Time
  items: number
  current: boolean
}

export interface Message {
  id: string // "TURN#N" stands for messages that were left out, as text says
  role: 'user' | 'assistant'
  time?: Time
  text: string
}

export interface Turn {
  id: string
  session: string
  source: string
  branch: string
  time?: Time
  messages: Message[]
}

// SourceOf is where an item came from, as it can be looked at.
export interface SourceOf {
  item: Item
  places: Place[]
}

export interface Place {
  origin: Origin
  title?: string // of the session
  cited: string[] // ids of the messages that the item came from; some may not be in turns
  turns: Turn[] // those with cited messages and a neighbour on each side
  missing?: string // why nothing, or not all, can be shown: written by a person, transcript gone, …
  archived?: boolean // turns are from the archive: the transcript does not have them any more
}

export interface SessionTurns {
  session: string
  title: string
  source: string
  total: number
  from: number // index of turns[0]
  turns: Turn[]
  archived?: boolean // they are from the archive: the transcript is gone
}

// ---- Review

export interface Proposal {
  id: string
  branch: string
  action: 'add' | 'update' | 'replace' | 'remove'
  section: string
  content: string // as it would be; of remove: as it is
  before?: string // what it changes or replaces
  confidence: number
  rationale?: string
  why?: string
  origins?: Origin[]
  created: Time
  suggestion?: boolean // its extractor was not sure: it need not be decided
}

export interface Decision {
  id: string
  accept: boolean
  content?: string // accepted with other words
  section?: string // accepted into another section
}

export interface Reviewed {
  left: Proposal[] // of all branches
  undo: string // hand to undoReview; "" if nothing was decided
  stale: string[] // ids whose item changed meanwhile: they were dropped
  stale_blocks?: StaleBlock[] // since the decisions
}

// ---- Conflicts

export interface Side {
  itemId?: string
  content: string
  confidence: number
  extractedAt: Time
  origin?: Origin
}

export interface Conflict {
  id: string
  createdAt: Time
  status: string
  branch: string
  category: string
  why?: string
  items: Side[] // two: what is remembered, what was found
  resolution: { status: string; decision?: string; reasoningNotes?: string; resolvedAt?: Time | null }
}

// Resolved is a conflict that was decided.
export interface Resolved extends Conflict {
  undo: string // hand to undoEdit
}

export type ConflictDecision = 'older' | 'newer' | 'both' | 'outdated'

// ---- Injection

export interface Injection {
  branch: string
  head: Head
  checked_out: boolean // the branch is what is checked out; without git always
  disabled?: boolean // the settings turn injection off
  budget: number // tokens
  held?: number // items kept back until the person looked at them
  absent?: Absent[] // plug-ins that the settings name and that others stood in for
  damage?: Damage[] // places of the memory that could not be read
  block: Block
  items: Item[] // those that block names, and the rest of the memory
  targets: Target[]
  standing?: string[] // ids of the items that a file says now, of a preview
}

// StaleBlock is a file in which assistants read something else than what is
// remembered now of what is checked out.
export interface StaleBlock {
  path: string
  name: string // of the target
  words: string // what it shows: "an older memory"
}

export interface Block {
  kind: string
  text: string
  tokens: number
  shown: { id: string; section: string; why?: string }[] | null
  // by: the item that holds instead; why: more of the reason; needs: tokens that it
  // would take, of what lacks room
  left: { id: string; reason: string; by?: string; why?: string; needs?: number }[] | null
  order?: string[] // sections, in the order in which they get room
  shares?: Record<string, number> // tokens that a section gets before others
  full?: number // tokens of the block with all that lacks room
}

export interface Target {
  path: string
  name: string // as the settings have it
  file?: string
  outcome: 'written' | 'unchanged' | 'removed' | 'nothing' | 'refused' | 'skipped' | 'failed'
  reason?: string
  lines?: number[]
  created?: boolean
  deleted?: boolean
  before?: string // the file's text, of a preview
  after?: string // as it would be
}

// ---- Events

// What another process, or the command line, wants to be shown.
export interface Asked {
  screen?: string
  root?: string
}

export interface Events {
  job: Job // progress: the newest counts, some may be left out
  ended: Job // a job ended: never lost, jobs() still has it
  changed: { root: string; what: 'memory' | 'review' | 'conflicts' | 'settings' | 'plugins' | 'history' | 'service' | 'trust' }
  show: Asked // another process asks to come forward
}
