import { plural } from '../../format/number'
import { label, subject } from './branch'

export const firstrun = {
  title: 'Welcome to Recollect',
  step: (n: number, of: number, name: string) => `Step ${n} of ${of}: ${name}`,
  steps: {
    welcome: 'What is here',
    choose: 'Choose a project',
    model: 'Who finds what is worth remembering',
    look: 'Look before anything is written',
    write: 'Give it to your assistant',
    done: 'Ready',
  },
  intro:
    'Your coding assistants forget what you told them when a session ends. Recollect reads their history, keeps what is worth remembering, and puts it where they read it the next time.',
  promises: [
    'It works on this machine. Without a language model nothing is sent anywhere and nothing costs money.',
    'It only reads your histories. What it remembers are Markdown files in your project that you can read, change and delete.',
    'It shows what it would write before it writes.',
  ],
  found: 'Assistants on this machine',
  assistantFound: (projects: number, sessions: number) =>
    `${plural(projects, 'project', 'projects')}, ${plural(sessions, 'session', 'sessions')}`,
  lookedFor: (names: string[]) => `Looked for: ${names.join(', ')}.`,
  looking: 'Looking for your assistants…',
  noneFound: 'No history was found',
  noneFoundText:
    'Work with a coding assistant in a project first, then come back. You can also look around: nothing can break.',
  next: 'Continue',
  back: 'Back',
  skip: 'Skip the introduction',
  chooseText: 'Recollect starts with one project. The others follow whenever you like.',
  projects: 'Projects',
  noProjects: 'No project was found in the histories.',
  addFolder: 'Add a folder…',
  lookText: (name: string) =>
    `Recollect reads the conversations about ${name} and shows what it would remember. Offline, and nothing is written yet.`,
  lookModel: (who: string) =>
    `What you memorize then is found by this: ${who}. That takes longer, and only then something is sent.`,
  reading: 'Reading…',
  cancelled: 'Reading was cancelled.',
  again: 'Read again',
  wouldRemember: (items: number, branches: number) =>
    `${plural(items, 'item', 'items')} would be remembered, on ${plural(branches, 'branch', 'branches')}.`,
  without: (n: number) => `Without the ${plural(n, 'item', 'items')} that you unticked.`,
  untick: 'Untick what you do not want: it is not stored.',
  all: 'Keep all of them',
  nothingFound: 'Nothing worth keeping was found in this project',
  nothingFoundText:
    'The conversations may be short. Choose another project, or go on: new conversations count too.',
  nothingOffline: 'Offline, that is. A model may find something.',
  branchItems: (branch: string, items: number) => `${label(branch)}: ${plural(items, 'item', 'items')}`,
  more: (n: number) => `Show ${n} more`,
  showLess: 'Show fewer',
  wouldWrite: (folder: string) => `It would be written to ${folder}`,
  memorize: 'Memorize this project',
  memorizing: 'Memorizing…',
  otherProject: 'Choose another project',
  writeText: (branch: string, where: string) =>
    `This is what your assistant would read about ${subject(branch)} (${where}). Only the marked lines are Recollect's; the rest of the file stays as it is.`,
  preparing: 'Preparing what would be written…',
  before: 'As it is',
  after: 'As it would be',
  diff: (file: string) => `Change of ${file}`,
  newFile: (file: string) => `${file} would be made.`,
  nothingToWrite: (branch: string, where: string) =>
    `Nothing is remembered of ${subject(branch)} yet (${where}), so nothing is written. What is remembered of other branches is on the Injection screen.`,
  noneShown: (items: number) =>
    `${plural(items, 'item is', 'items are')} remembered, and none would be shown. The Injection screen says why.`,
  unchanged: (file: string) => `${file} is up to date.`,
  refused: (file: string, why: string) => `${file} is left alone: ${why}`,
  writeIt: 'Write it',
  notNow: 'Not now',
  writeFailed: 'Not every file was written',
  written: (file: string) => `Written: ${file}`,
  doneText: 'From now on Recollect is here when you want it:',
  tips: [
    ['memory', 'Read and correct what is remembered, on the Memory screen.'],
    ['memorize', 'Memorize again after new conversations: on the Projects screen, or in the tray.'],
    ['injection', 'See what your assistant reads, and why, on the Injection screen.'],
    [
      'search',
      'Ctrl+K finds every item, screen, project and branch, and does what any menu can. The key ? shows all shortcuts.',
    ],
  ] as const,
  openMemory: 'Open the memory',
  openProjects: 'Go to the projects',
}
