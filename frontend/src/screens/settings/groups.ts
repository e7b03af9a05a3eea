import type { Setting } from '../../bridge'

export type Group =
  | 'ways'
  | 'model'
  | 'budget'
  | 'memorize'
  | 'background'
  | 'archive'
  | 'inject'
  | 'trust'
  | 'app'
  | 'data'
  | 'other'

const amounts = ['calls', 'tokens', 'dollars']

// The settings that each group shows, in the order of the groups.
export const shown: Record<Group, string[]> = {
  ways: [],
  model: ['model.provider', 'model.name', 'model.base_url'],
  budget: ['run', 'day', 'plugin_day'].flatMap((of) => amounts.map((what) => `budget.${of}_${what}`)),
  memorize: ['review.enabled', 'sources', 'extractors', 'schema', 'policy'],
  background: [
    'maintenance.enabled',
    'maintenance.nightly',
    'maintenance.weekly',
    'maintenance.monthly',
    'watch.memorize',
    'watch.idle',
  ],
  archive: ['archive.enabled', 'archive.redact', 'archive.limit'],
  inject: ['inject.enabled', 'inject.auto', 'inject.targets', 'inject.budget', 'inject.unseen'],
  trust: [],
  app: ['ui.theme', 'ui.notify', 'safe.folders'],
  data: [],
  other: [],
}

// others gives the settings that no group shows, as those of a newer program.
export function others(list: Setting[]): Setting[] {
  const known = new Set(Object.values(shown).flat())
  return list.filter((s) => !known.has(s.key))
}

// jump brings a group or a part of it into view. Its name gets the keyboard, so
// that Tab goes on within it.
export function jump(e: Event, name: string): void {
  e.preventDefault()
  reveal(name)
}

// reveal is jump without a link.
export function reveal(name: string): void {
  const heading = document.getElementById(`settings-${name}`)
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
