import { number, plural } from '../../format/number'
import { subject } from './branch'

export const review = {
  title: 'Review',
  intro: 'What memorizing proposes. Nothing of it is remembered before you accept it.',
  list: 'Proposals by branch',
  progress: (done: number, all: number) => `${number(done)} of ${number(all)} decided`,
  progressLabel: 'Decided',
  left: (n: number) => plural(n, 'proposal', 'proposals'),
  suggestions: 'Suggestions',
  suggestionsText: 'Nobody was sure of these. They need no decision, and each is dropped after 30 days.',
  amount: (g: { suggestion: boolean; proposals: unknown[] }) =>
    g.suggestion
      ? plural(g.proposals.length, 'suggestion', 'suggestions')
      : plural(g.proposals.length, 'proposal', 'proposals'),

  action: {
    add: 'New',
    update: 'Change',
    replace: 'Replace',
    remove: 'Drop',
  },
  actionText: {
    add: 'This would be remembered.',
    update: 'The words of an item would change.',
    replace: 'An item would be replaced by another.',
    remove: 'This would no longer be remembered.',
  },
  added: 'added:',
  removed: 'removed:',
  said: 'said',
  moreOrigins: (n: number) => `and in ${plural(n, 'other place', 'other places')}`,
  why: 'Why',
  kept: 'Why it was kept',
  source: 'Where it came from',
  noSource: 'Nobody noted where this came from',

  accept: 'Accept',
  refuse: 'Refuse',
  edit: 'Edit, then accept',
  acceptEdited: 'Accept these words',
  cancel: 'Cancel',
  editing: 'Words to accept',
  editingSection: 'Section',
  editHint: 'Enter accepts, Escape cancels',
  emptyRefused: 'An item needs words. To keep nothing, refuse the proposal.',
  removeNotEdited: 'A proposal to drop an item has no words to edit.',

  acceptAll: (n: number) => `Accept all ${number(n)}`,
  refuseAll: (n: number) => `Refuse all ${number(n)}`,
  acceptAllTitle: (amount: string, branch: string) => `Accept all ${amount} for ${subject(branch)}?`,
  refuseAllTitle: (amount: string, branch: string) => `Refuse all ${amount} for ${subject(branch)}?`,
  acceptAllText: (parts: string) => `This goes into the memory at once: ${parts}. You can undo it.`,
  refuseAllText: (parts: string) =>
    `These are not remembered, and will not be proposed again: ${parts}. You can undo it.`,
  counts: {
    add: (n: number) => `${number(n)} new`,
    update: (n: number) => `${number(n)} changed`,
    replace: (n: number) => `${number(n)} replaced`,
    remove: (n: number) => `${number(n)} dropped`,
  },

  did: {
    accepted: (n: number) => (n === 1 ? 'Accepted' : `${plural(n, 'proposal', 'proposals')} accepted`),
    refused: (n: number) => (n === 1 ? 'Refused' : `${plural(n, 'proposal', 'proposals')} refused`),
    undone: 'The last decision was taken back',
  },
  nothingToUndo: 'No decision of yours can be undone here',
  undoRefused: 'This decision can no longer be undone by itself',
  undoRefusedText:
    'The memory changed since. Its earlier states are kept: open Memory, then Versions, to look at them or go back.',
  openMemory: 'Open Memory',

  stale: (n: number) => `${plural(n, 'decision was', 'decisions were')} not followed`,
  staleText:
    'The items changed meanwhile, or the proposals contradict what a person wrote since: that waits under Conflicts. Nothing of them was written. What still holds is in the list.',
  dismiss: 'Dismiss',

  none: 'Nothing waits for your review',
  noneOn: 'New items wait here until you accept them. Memorize a branch, and what it finds will be listed.',
  noneOff:
    'New items go into the memory at once. If you would rather look at each of them first, let them wait here for your review.',
  done: 'All decided',
  doneText: (n: number) =>
    `You decided ${plural(n, 'proposal', 'proposals')}. What you accepted is remembered.`,
  setting: 'New items wait for my review',
  settingUser: 'For all your projects. The same switch is in Settings.',
  settingProject: 'For this project, whose own settings say so. The same switch is in Settings.',
  settingOn: 'New items will wait here for your review.',
  settingOff: 'New items will go into the memory at once.',
  openProjects: 'Open Projects',

  keys: 'Keys of this screen',
  keyList: [
    [['j', 'k'], 'Next, previous'],
    [['a'], 'Accept'],
    [['x'], 'Refuse'],
    [['e'], 'Edit, then accept'],
    [['Enter', 'o'], 'Where it came from'],
    [['A'], 'Accept all of this group'],
    [['X'], 'Refuse all of this group'],
    [['u', 'Ctrl+Z'], 'Undo'],
  ] as [string[], string][],
}
