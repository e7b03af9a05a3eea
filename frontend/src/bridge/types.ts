// The shapes that cross the bridge. Go's JSON names are the same; what Go omits
// when empty is optional here. Times are RFC 3339, durations nanoseconds, money
// millionths of a US dollar, confidences 0 to 1.

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
  last_active?: Time
  problem?: Problem // its memory can't be read; items and block_tokens say nothing then
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
  step?: string // "read", "extract", "merge", "save", "compile"
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
  conflicts?: unknown[]
  rejected?: Rejection[]
  redacted: number
  warnings?: string[]
  duration_ns: number
  problem?: Problem
}

export interface MemorizeRequest {
  branches: string[] // exact names; none: every branch with history
  again?: boolean // read every turn again
  preview?: boolean // write nothing; the job's reports say what would come
  extractors?: string[] // instead of those of the settings
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
  created: Time
  updated: Time
  origins?: Origin[]
}

export interface Damage {
  file: string
  line: number
  why: string
}

export interface Memory {
  branch: string
  exists: boolean
  file?: string // path of the Markdown
  updated?: Time
  sections: Section[] // in order
  items: Item[] // active ones, in the Markdown's order
  markdown?: string
  damage?: Damage[]
}

export interface Edited {
  memory: Memory // without markdown
  changes?: Change[]
  undo: string // hand to undoEdit; "" if nothing changed. That of an undo makes the edit again
  warnings?: string[] // "a secret was taken out before it was saved"
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

export type ConflictDecision = 'older' | 'newer' | 'both' | 'outdated'

// ---- Injection

export interface Injection {
  branch: string
  disabled?: boolean // the settings turn injection off
  budget: number // tokens
  block: Block
  items: Item[] // those that block names, and the rest of the memory
  targets: Target[]
}

export interface Block {
  kind: string
  text: string
  tokens: number
  shown: { id: string; section: string; why?: string }[] | null
  left: { id: string; reason: string }[] | null
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

// ---- Plug-ins

export interface Power {
  capability: string
  words: string // what it may do, in plain words
  grave: boolean // sends text away, costs money, …
  reason?: string // what its author says it is for
}

export interface Plugin {
  id: string
  name: string
  version: string
  description: string
  license?: string
  homepage?: string
  roles: string[] // "extractor", "schema", "policy"
  built_in: boolean
  approved: boolean
  disabled: boolean
  paused?: string // why
  powers: Power[]
  pending?: { version: string; sha256: string; powers: Power[]; more?: string[] }
  used_as: string[] // roles that it plays in this project
  schema?: unknown // JSON Schema of its configuration
  config?: unknown // its configuration in force
  limits?: Limits
  metrics: Metrics
}

export interface Limits {
  memory_bytes: number
  wall_ns: number
  fuel: number
  host_calls: number
  model_calls: number
}

export interface Metrics {
  since?: Time
  calls: number
  faults: number
  guest_ns: number
  host_ns: number
  host_calls: number
  model_calls: number
  fuel: number
  memory_bytes: number
  load_ns: number
  last_fault?: string
  paused?: string
}

export interface Plugins {
  plugins: Plugin[]
  problems?: string[]
}

export interface LogLine {
  time?: Time
  level: string
  text: string
}

export interface Tried {
  branch: string
  extractor: string
  items: TriedItem[]
  unread: number // turns that it could not look at
  warnings?: string[]
  log?: LogLine[]
  took_ns: number
  memory_bytes: number
  model_calls: number
  tokens: number
}

export interface TriedItem {
  section: string
  content: string
  confidence: number
  rationale?: string
  origin: Origin
  known?: string // id of the item of today's memory that says the same
  rejected?: string // why it would not go in
}

// ---- Dashboard

export interface Stats {
  items: number
  sessions: number // conversations read
  turns: number
  turns_read: number // memorized
  branches: number
  last_memorized?: Time
  next_maintenance?: Time // absent: none is scheduled
  growth: { day: string; sections: Record<string, number> }[] // active items at the end of each day with a change, by section id
  sections: { id: string; heading: string; items: number }[]
  confidence: number[] // ten buckets, [0,0.1) … [0.9,1]
  spend: Spend[] // by day, oldest first, gaps left out
  cap: { calls: number; tokens: number; money: number } // of a day; -1: none
  left_today?: string // in words
}

export interface Spend {
  day: string // "2026-11-28"
  calls: number
  tokens: number
  money: number
  unpriced: number // calls whose price is not known
}

// ---- Settings

export interface Setting {
  key: string
  value: unknown
  from: 'default' | 'user' | 'project'
  kind: 'bool' | 'int' | 'number' | 'text' | 'choice' | 'list'
  choices?: string[]
  min?: number
  max?: number
  doc?: string // a sentence, for those who have no text of their own
}

export interface KeyStatus {
  provider: string
  place: string // "keyring", "environment", "file"; "": no key anywhere
  name?: string
  // all places, in the order in which the first key wins. fix says what to do about
  // problem, notice what to know about a key in this place.
  looked: { place: string; name?: string; has_key: boolean; problem?: string; fix?: string; notice?: string }[]
}

export interface ModelTest {
  provider: string
  model: string
  input_tokens: number
  output_tokens: number
  took_ns: number
}

export interface Folders {
  config: string
  data: string
  cache: string
}

export interface Autostart {
  supported: boolean
  on: boolean
  why?: string // of not supported
}

// ---- Status

export interface Status {
  state: 'ready' | 'working' | 'attention' | 'error'
  sentence: string
  problem?: Problem // the last error
  new_turns: number
  review: number
  conflicts: number
  plugins: number // that wait for approval or are paused
  damage: number
  last?: LastRun // what the last memorize did
  held?: string // who works on the project now
  left_today?: string // of the budget for models, in words
  maintenance?: Maintenance // absent: there is no memory folder
  service: { running: boolean; paused: boolean; version?: string }
  version: string
}

export interface Maintenance {
  enabled: boolean // by itself, while the service runs
  tasks: { kind: string; last?: Time; next?: Time }[] // next is missing if it is not scheduled
  results: { kind: string; at: Time; outcome: string; words: string; deferred?: string[] }[] // newest first
  deferred?: string[] // branches that the last runs left for the next ones
  broken?: string // why the log can't be read
}

export interface LastRun {
  at: Time
  branches: number
  memorized: number // branches with something new
  changes: number // items added, changed or taken out
  failed: number // branches
}

export interface FirstRun {
  needed: boolean
  assistants: Assistant[]
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
  changed: { root: string; what: 'memory' | 'review' | 'conflicts' | 'settings' | 'plugins' | 'history' | 'service' }
  show: Asked // another process asks to come forward
}
