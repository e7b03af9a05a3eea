import type { IconName } from '../components'
import { screens } from '../screens'
import { type Group, shown } from '../screens/settings/groups'
import type { App } from '../state/app.svelte'
import { screenNames } from '../state/route.svelte'
import type { ThemeChoice } from '../state/theme.svelte'
import { text } from '../text'

export interface Command {
  id: string
  group: 'do' | 'screens' | 'items' | 'projects' | 'branches'
  icon: IconName
  label: string
  note?: string
  also?: string // searched too
  lands?: boolean // where it leads says itself what gets the keyboard
  run: () => void
}

const t = text.shell

// commands are all that the palette offers now, but the items of memories: what
// every menu and every button can that belongs to no row of a list.
export function commands(app: App): Command[] {
  return [...ofBranch(app), ...ofProject(app), ...ofProgram(app), ...places(app), ...settings(app)]
}

function act(id: string, icon: IconName, label: string, run: () => void): Command {
  return { id, group: 'do', icon, label, run }
}

function ofBranch(app: App): Command[] {
  const { root, branch } = app
  if (!root || branch === null) return []
  const c = t.commands
  const memory = (id: string, icon: IconName, label: string, what: string): Command => ({
    ...act(id, icon, label, () => app.wish('memory', what)),
    lands: true,
  })
  const out = [act('memorize', 'memorize', c.memorizeBranch(branch), () => void app.memorize(root, [branch]))]
  const known = app.branches.value?.find((b) => b.name === branch)
  if (known?.turns) {
    out.push(
      act(
        'memorize-again',
        'refresh',
        c.memorizeAgain(branch),
        () => void app.memorize(root, [branch], true),
      ),
    )
  }
  out.push(memory('add-item', 'add', c.addItem(branch), 'add'))
  if (!known?.items) return out
  return [
    ...out,
    memory('versions', 'clock', c.versions(branch), 'versions'),
    memory('copy-path', 'copy', c.copyPath(branch), 'copy'),
    memory('reload', 'refresh', c.reload(branch), 'reload'),
    memory('clear', 'trash', c.clear(branch), 'clear'),
  ]
}

function ofProject(app: App): Command[] {
  const { root, project } = app
  if (!root) return []
  const c = t.commands
  const fresh = (app.branches.value ?? [])
    .filter((b) => b.new_turns > 0 && !app.jobs.memorizing(root, b.name))
    .map((b) => b.name)
  const out = [
    act('memorize-all', 'memorize', c.memorizeAll(project?.name ?? root), () => void app.memorize(root, [])),
    act('trust', 'shield', c.trust, () => app.showTrust()),
    act('refresh', 'refresh', c.refresh, () => void app.refresh()),
    act('maintain', 'clock', c.maintain, () => void app.maintain(root)),
    act('try-plugin', 'try', c.tryPlugin, () => app.wish('plugins', 'try')),
  ]
  if (fresh.length) {
    out.unshift(
      act('memorize-new', 'memorize', c.memorizeNew(fresh.length), () => void app.memorize(root, fresh)),
    )
  }
  if (project?.exists) {
    out.push(
      act(
        'open-project',
        'folder',
        c.openFolder,
        () => void app.run(() => app.bridge.openFolder('project', root)),
      ),
    )
  }
  return out
}

function ofProgram(app: App): Command[] {
  const c = t.commands
  const out = app.jobs.running.map((job) =>
    act(
      `cancel-${job.by}-${job.id}`,
      'close',
      c.cancel(text.status.running(job)),
      () => void app.cancel(job.id),
    ),
  )
  for (const choice of ['system', 'light', 'dark'] as ThemeChoice[]) {
    const icon = choice === 'dark' ? 'moon' : 'sun'
    out.push(act(`theme-${choice}`, icon, c.theme(t.themes[choice]), () => app.theme.choose(choice)))
  }
  const service = app.status.value?.service
  if (service?.running) {
    const { paused } = service
    const [icon, label] = paused ? (['play', c.resume] as const) : (['pause', c.pause] as const)
    out.push(act('pause', icon, label, () => void app.pauseService(!paused)))
  }
  out.push(
    act('add-project', 'add', c.addProject, () => void app.addProject()),
    act('add-plugin', 'plugins', c.addPlugin, () => app.wish('plugins', 'add')),
    act('first-run', 'info', c.firstRun, () => {
      app.route.firstRun = true
    }),
    act('shortcuts', 'keyboard', c.shortcuts, () => {
      app.overlay = 'shortcuts'
    }),
    act('memory-keys', 'keyboard', c.memoryKeys, () => app.wish('memory', 'keys')),
  )
  for (const name of ['config', 'data', 'cache'] as const) {
    out.push(
      act(
        `open-${name}`,
        'folder',
        c.openFolders[name],
        () => void app.run(() => app.bridge.openFolder(name, app.root)),
      ),
    )
  }
  return out
}

function places(app: App): Command[] {
  return [
    ...screenNames.map(
      (name, i): Command => ({
        id: `screen-${name}`,
        group: 'screens',
        icon: screens[name].icon,
        label: t.screens[name],
        note: `Ctrl+${i + 1}`,
        also: t.alsoScreens[name],
        run: () => app.go({ screen: name }),
      }),
    ),
    ...(app.projects.value ?? []).map(
      (p): Command => ({
        id: `project-${p.root}`,
        group: 'projects',
        icon: 'folder',
        label: p.name,
        note: p.root,
        also: p.root,
        run: () => app.go({ root: p.root }),
      }),
    ),
    ...(app.branches.value ?? []).map(
      (b): Command => ({
        id: `branch-${b.name}`,
        group: 'branches',
        icon: 'branch',
        label: text.branch.label(b.name),
        run: () => app.go({ branch: b.name }),
      }),
    ),
  ]
}

function settings(app: App): Command[] {
  return (Object.keys(shown) as Group[])
    .filter((g) => g !== 'other' && (g !== 'trust' || app.root))
    .map((g) => ({
      id: `settings-${g}`,
      group: 'screens' as const,
      icon: 'settings' as const,
      label: t.commands.group(text.settings.groups[g]),
      lands: true,
      run: () => app.wish('settings', 'group', g),
    }))
}

const MOST = 60 // of one group
const order = ['do', 'screens', 'items', 'projects', 'branches']

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
