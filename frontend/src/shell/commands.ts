import type { IconName } from '../components'
import { screens } from '../screens'
import type { App } from '../state/app.svelte'
import { screenNames } from '../state/route.svelte'
import type { ThemeChoice } from '../state/theme.svelte'
import { text } from '../text'

export interface Command {
  id: string
  group: 'do' | 'screens' | 'projects' | 'branches'
  icon: IconName
  label: string
  note?: string
  also?: string // searched too
  run: () => void
}

// commands are all that the palette offers now.
export function commands(app: App): Command[] {
  const t = text.shell
  const out: Command[] = []
  const { root, branch, project } = app
  if (root && branch !== null) {
    out.push({
      id: 'memorize',
      group: 'do',
      icon: 'memorize',
      label: t.commands.memorizeBranch(branch),
      run: () => void app.memorize(root, [branch]),
    })
  }
  if (root) {
    out.push({
      id: 'memorize-all',
      group: 'do',
      icon: 'memorize',
      label: t.commands.memorizeAll(project?.name ?? root),
      run: () => void app.memorize(root, []),
    })
    out.push({
      id: 'trust',
      group: 'do',
      icon: 'shield',
      label: t.commands.trust,
      run: () => app.showTrust(),
    })
  }
  for (const [i, name] of screenNames.entries()) {
    out.push({
      id: `screen-${name}`,
      group: 'screens',
      icon: screens[name].icon,
      label: t.screens[name],
      note: `Ctrl+${i + 1}`,
      run: () => app.go({ screen: name }),
    })
  }
  for (const p of app.projects.value ?? []) {
    out.push({
      id: `project-${p.root}`,
      group: 'projects',
      icon: 'folder',
      label: p.name,
      note: p.root,
      also: p.root,
      run: () => app.go({ root: p.root }),
    })
  }
  for (const b of app.branches.value ?? []) {
    out.push({
      id: `branch-${b.name}`,
      group: 'branches',
      icon: 'branch',
      label: b.name,
      run: () => app.go({ branch: b.name }),
    })
  }
  for (const choice of ['system', 'light', 'dark'] as ThemeChoice[]) {
    out.push({
      id: `theme-${choice}`,
      group: 'do',
      icon: choice === 'dark' ? 'moon' : 'sun',
      label: t.commands.theme(t.themes[choice]),
      run: () => app.theme.choose(choice),
    })
  }
  out.push(
    {
      id: 'add-project',
      group: 'do',
      icon: 'add',
      label: t.commands.addProject,
      run: () => void app.addProject(),
    },
    {
      id: 'first-run',
      group: 'do',
      icon: 'info',
      label: t.commands.firstRun,
      run: () => {
        app.route.firstRun = true
      },
    },
    {
      id: 'shortcuts',
      group: 'do',
      icon: 'keyboard',
      label: t.commands.shortcuts,
      run: () => {
        app.overlay = 'shortcuts'
      },
    },
  )
  return out
}

const MOST = 60 // of one group
const order = ['do', 'screens', 'projects', 'branches']

// match gives the commands that hold every word of the query, a group after the
// other; within a group those first whose label begins with it.
export function match(all: Command[], query: string): Command[] {
  const q = query.trim().toLowerCase()
  const words = q.split(/\s+/).filter(Boolean)
  const hits = all.filter((c) => {
    const hay = `${c.label} ${c.also ?? ''}`.toLowerCase()
    return words.every((w) => hay.includes(w))
  })
  const early = (c: Command) => (q && c.label.toLowerCase().startsWith(q) ? 0 : 1)
  return order.flatMap((g) =>
    hits
      .filter((c) => c.group === g)
      .sort((a, b) => early(a) - early(b))
      .slice(0, MOST),
  )
}
