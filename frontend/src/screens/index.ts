import type { Component } from 'svelte'
import type { IconName } from '../components'
import type { ScreenName } from '../state/route.svelte'
import Conflicts from './conflicts/Conflicts.svelte'
import Dashboard from './dashboard/Dashboard.svelte'
import Injection from './injection/Injection.svelte'
import Memory from './memory/Memory.svelte'
import Plugins from './plugins/Plugins.svelte'
import Projects from './projects/Projects.svelte'
import Review from './review/Review.svelte'
import Settings from './settings/Settings.svelte'

export interface Screen {
  component: Component
  icon: IconName
  // needs says without what the screen has nothing to show; the shell then
  // shows how to choose one.
  needs: 'nothing' | 'project' | 'branch'
}

// screens are all of them, by the name that the route and the texts use. A
// screen finds the current project and branch in the app; it is made anew when
// the project changes, and follows a change of the branch itself.
export const screens: Record<ScreenName, Screen> = {
  projects: { component: Projects, icon: 'projects', needs: 'nothing' },
  memory: { component: Memory, icon: 'memory', needs: 'branch' },
  review: { component: Review, icon: 'review', needs: 'project' },
  conflicts: { component: Conflicts, icon: 'conflicts', needs: 'project' },
  injection: { component: Injection, icon: 'injection', needs: 'branch' },
  plugins: { component: Plugins, icon: 'plugins', needs: 'nothing' },
  dashboard: { component: Dashboard, icon: 'dashboard', needs: 'project' },
  settings: { component: Settings, icon: 'settings', needs: 'nothing' },
}
