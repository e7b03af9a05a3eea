// Plug-ins, and trials of them. See types.ts.
import type { Origin, Time } from './types'

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
  absent?: Absent[]
}

// Absent is a plug-in that the settings name and that is not installed.
export interface Absent {
  plugin: string
  role: string
  instead?: string // the built-in one that plays the role meanwhile
  install: string // the command that puts it in
  drop: string // the command that takes its name out of the settings
}

// A file of settings that counts and names a plug-in.
export interface PluginUse {
  root?: string // the project's whose own they are; none: the person's, for all projects
  file: string
  roles: string[]
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
