import type { Head } from '../../bridge'
import { number, plural } from '../../format/number'
import { plain } from '../../format/untrusted'
import { subject } from './branch'
import { notLetIn } from './rejected'

export const projects = {
  title: 'Projects and branches',
  width: 'Width of the list of projects',
  keys: 'Arrows move · Enter opens the memory · Space selects · m memorizes',
  refresh: 'Look again',
  actions: { added: 'added', updated: 'updated', superseded: 'replaced', removed: 'dropped', kept: 'kept' },
  projects: 'Projects',
  branches: 'Branches',
  search: 'Search projects',
  searchBranches: 'Search branches',
  add: 'Add a folder…',
  addHint: 'A folder whose history was not found by itself',
  none: 'No project was found',
  noneText:
    'Recollect looks for projects in the histories of your coding assistants. Work with an assistant in a project first, or add a folder yourself.',
  noMatch: 'No project matches',
  noMatchText: 'Search in the name or the path.',
  clear: 'Clear the search',
  gone: 'folder is gone',
  noMemory: 'no memory yet',
  noHistory: 'no history yet',
  toReview: (n: number) => `${number(n)} to review`,
  conflicts: (n: number) => plural(n, 'conflict', 'conflicts'),
  asked: (n: number) => plural(n, 'setting wants your yes', 'settings want your yes'),
  read: (assistants: string, sessions: number) =>
    [assistants, sessions ? plural(sessions, 'session', 'sessions') : ''].filter(Boolean).join(', '),
  sessions: (n: number) => plural(n, 'session', 'sessions'),
  found: (n: number) => plural(n, 'project', 'projects'),
  pick: 'Choose a project',
  pickText: 'Its branches appear here: what was worked on, and what of it is remembered.',
  noBranches: 'No branch has a history yet',
  noBranchesText: 'As soon as an assistant worked in this project, its branches appear here.',
  noBranchMatch: 'No branch matches',
  current: 'checked out',
  noGit: 'there is no git here',
  head: (head: Head) => {
    switch (head.state) {
      case 'branch':
        return `${plain(head.branch)} is checked out`
      case 'detached':
        return 'no branch is checked out: the head is detached'
      case 'none':
        return 'there is no git here'
    }
    return 'what git has checked out can’t be read'
  },
  newTurns: (n: number) => plural(n, 'new turn', 'new turns'),
  upToDate: 'up to date',
  items: (n: number) => (n ? plural(n, 'item', 'items') : 'no items'),
  noItems: 'nothing remembered',
  unseen: (n: number) => `${n} not looked at yet`,
  unreadable: 'memory can’t be read',
  block: (n: number) => `${plural(n, 'token', 'tokens')} to inject`,
  blockUnknown: 'block not prepared yet',
  waiting: (n: number) => `${plural(n, 'proposal', 'proposals')} to review`,
  select: (branch: string) => `Select ${subject(branch)}`,
  selectAll: 'Select all',
  selected: (n: number) => `${n} selected`,
  memorize: 'Memorize',
  memorizeOf: (branch: string) => `Memorize ${subject(branch)}`,
  memorizeSelected: (n: number) => `Memorize ${plural(n, 'branch', 'branches')}`,
  memorizeNew: 'Memorize what is new',
  memorizeAll: 'Memorize all',
  memorizeAgain: 'Read every turn again',
  again: (branch: string) => `Reading every turn of ${subject(branch)} again.`,
  cancelOf: (branch: string) => `Cancel memorizing ${subject(branch)}`,
  waitingTurn: 'waits for its turn',
  openMemory: 'Open its memory',
  openInjection: 'See what is injected',
  openReview: 'Review its proposals',
  openFolder: 'Open the folder',
  actionsOf: (branch: string) => `More for ${subject(branch)}`,
  outcomes: 'Last run',
  hideOutcomes: 'Hide the outcome of the last run',
  rejected: notLetIn,
  redacted: (n: number) => `${plural(n, 'secret was', 'secrets were')} taken out`,
  changed: 'What changed',
}
