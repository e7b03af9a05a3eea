import { keep, kept } from './kept'

export const screenNames = [
  'projects',
  'memory',
  'review',
  'conflicts',
  'injection',
  'plugins',
  'dashboard',
  'settings',
] as const

export type ScreenName = (typeof screenNames)[number]

export function isScreen(name: unknown): name is ScreenName {
  return screenNames.includes(name as ScreenName)
}

// Place is what the window shows: a screen, of a project, of a branch. root ""
// and branch null stand for none.
export interface Place {
  screen: ScreenName
  root: string
  branch: string | null
}

// Route is the place, remembered between starts.
export class Route {
  screen = $state<ScreenName>('projects')
  root = $state('')
  branch = $state<string | null>(null)
  // firstRun shows the first-run story instead of a screen.
  firstRun = $state(false)

  constructor() {
    const text = kept('place')
    if (!text) return
    try {
      const place = JSON.parse(text) as Partial<Place>
      if (isScreen(place.screen)) this.screen = place.screen
      if (typeof place.root === 'string') this.root = place.root
      if (typeof place.branch === 'string') this.branch = place.branch
    } catch {
      // A damaged place is no place.
    }
  }

  // go changes what is given. Another project without a branch has none yet.
  go(to: Partial<Place>): void {
    if (to.root !== undefined && to.root !== this.root) {
      this.root = to.root
      this.branch = null
    }
    if (to.branch !== undefined) this.branch = to.branch
    if (to.screen !== undefined) this.screen = to.screen
    keep('place', JSON.stringify({ screen: this.screen, root: this.root, branch: this.branch }))
  }
}
