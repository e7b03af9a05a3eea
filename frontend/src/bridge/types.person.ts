// Figures, settings and how things are. See types.ts.
import type { Assistant, Head, Problem, StaleBlock, Time } from './types'
import type { Absent } from './types.plugins'

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
  project?: string // which values count by themselves if a project sets them, in words
  asked?: unknown // what the project's file asks for and what waits for the person's yes
}

export interface KeyStatus {
  provider: string
  for: string // the address that is asked, which the key has to be for
  place: string // "keyring", "environment", "file"; "": no key anywhere
  name?: string
  // all places, in the order in which the first key wins. fix says what to do about
  // problem, notice what to know about a key in this place.
  looked: {
    place: string
    name?: string
    has_key: boolean
    for?: string // the address that the key is for
    problem?: string
    fix?: string
    notice?: string
  }[]
}

export interface ModelTest {
  provider: string
  model: string
  input_tokens: number
  output_tokens: number
  took_ns: number
}

// The ways to have what is worth remembering found by a model, and the one without.
export interface ModelWays {
  current: string // name of a way; "": the settings go another
  chosen: boolean // somebody has set one
  prices: string // the day of the list of prices
  ways: ModelWay[]
}

export interface ModelWay {
  name: 'claude-cli' | 'anthropic' | 'openai' | 'local' | 'none'
  provider: string
  model?: string
  address?: string // of local
  ready: boolean
  found?: string // a sentence, where it is ready
  missing?: string // a sentence, where it is not
  models?: string[] // of local: that there are
  // What it would be asked for the history here that no model has read.
  sessions: number
  requests: number
  input_tokens: number
  output_tokens: number
  sampled?: boolean // from a part of the history
  money: number // by the price list
  priced: boolean // false: the dearest of its vendor
  subscription: boolean // it is included in one
  days: number // that the daily budget spreads it over; 0: nothing is asked, or the budget allows nothing
}

// What models cost, by the list that ships with the program.
export interface ModelPrices {
  date: string // of the list
  default?: string // the model that is asked where none is named
  models: ModelPrice[] // that the provider can be asked for
  price?: { input: number; output: number } // of the model that was asked about, if it is known
}

// In US dollars per million tokens.
export interface ModelPrice {
  name: string
  input: number
  output: number
}

export interface ChosenModel {
  way: string
  provider: string
  model?: string
  address?: string
  extractors: string[]
  missing?: string // what it needs before it can work, a sentence
  aside?: string[] // settings that this project's own say otherwise
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
  head: Head
  problem?: Problem // the last error
  new_turns: number
  review: number // proposals that must be decided
  suggestions: number // that need no decision
  conflicts: number
  plugins: number // that wait for approval or are paused
  damage: number
  absent?: Absent[] // plug-ins that the settings name and that are not installed
  unseen: number // items that came with the repository and were not looked at
  asked: number // settings of the project that wait for the person's yes
  trusted: number // that have it
  left_aside?: string[] // what those that wait are about, a word each
  last?: LastRun // what the last memorize did
  stale_blocks?: StaleBlock[] // files in which assistants read something older
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
