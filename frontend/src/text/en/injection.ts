import { number, plural } from '../../format/number'
import { subject } from './branch'

const ordinal = (n: number) => `${n}${['th', 'st', 'nd', 'rd'][n % 10 < 4 && n < 10 ? n : 0] ?? 'th'}`

export const injection = {
  title: 'Injection',
  intro: 'What the assistant is told of this branch, and where it is written.',
  of: (branch: string) => `The block of ${subject(branch)}`,
  pick: 'Choose a project and a branch',
  pickText: 'The block that an assistant would read appears here, before anything is written.',
  toProjects: 'Show the projects',
  nothing: 'There is nothing to inject',
  nothingText:
    'This branch has no memory yet, or nothing of it was selected. Memorize it, or look at what was left out below.',
  memorize: 'Memorize this branch',
  off: 'Injection is turned off',
  offText: 'You see what would be written. Nothing is written until you turn it on.',
  turnOn: 'Turn it on for this project',
  budget: 'Tokens',
  budgetHint: (left: number) =>
    left >= 0
      ? `${plural(left, 'token is', 'tokens are')} left`
      : `${plural(-left, 'token', 'tokens')} over the budget`,
  changeBudget: 'Change the budget',
  views: 'What to look at',
  block: 'The block',
  shown: 'In the block',
  left: 'Left out',
  blockLabel: 'The text that the assistant reads',
  copy: 'Copy',
  copied: 'The block is in the clipboard.',
  copyFailed: 'The clipboard did not take it.',
  because: 'Because',
  noneShown: 'No item is in the block',
  noneLeft: 'Nothing is left out',
  noneLeftText: 'Every item of this branch is in the block.',
  reasons: {
    budget: 'There is no room left for it within the budget',
    length: 'A hook may not hand over that much text',
    'not selected': 'The policy did not choose it',
    'unknown id': 'The policy chose what is not in the memory',
    contradicted: 'Another item says otherwise',
    superseded: 'A newer item replaced it',
    removed: 'A person took it out',
    repeated: 'The policy chose it more than once',
    unseen: 'It came with the repository and you have not looked at it yet',
    blank: 'Nothing readable is left of it',
  } as Record<string, string>,
  noRoom: (l: {
    section: string
    pinned: boolean
    place?: { n: number; of: number }
    share?: number
    needs: number
    free: number
    budget: number
  }) => {
    const takes = l.needs ? `It takes ${plural(l.needs, 'token', 'tokens')}; ` : ''
    const left = `${number(l.free)} of ${number(l.budget)} are left`
    const rest = takes ? takes + left : left
    if (l.pinned) return `Pinned items come first, and together they are more than the budget. ${rest}`
    if (!l.place) return `The budget is used up. ${rest}`
    const { n, of } = l.place
    const place = of === 1 ? 'has' : n === of ? 'comes last and has' : `comes ${ordinal(n)} of ${of} and has`
    const share = l.share ? ` ${number(l.share)} tokens for itself` : ' no part of the budget for itself'
    const order = of === 1 && !l.share ? '' : `The section ${l.section} ${place}${share}, and the `
    return `${order || 'The '}budget is used up. ${rest}`
  },
  cures: { pin: 'Pin it', decide: 'Decide', look: 'Look at it', edit: 'Edit' },
  openItem: 'Open in the memory',
  lackRoom: (n: number) => `${plural(n, 'item lacks', 'items lack')} room in the block.`,
  raise: (tokens: number) => `Raise the budget to ${number(tokens)} tokens`,
  pinned: 'Item pinned: it comes before the others',
  budgetRaised: (tokens: number) => `The budget is ${number(tokens)} tokens now`,
  leftBecause: (reason: string, why: string, by: string) =>
    reason + (why && `: ${why}`) + (by && `. What holds: ${by}`),
  openMemory: 'Open the memory',
  targets: 'Files',
  outcome: {
    written: 'will be written',
    unchanged: 'is up to date',
    removed: 'will be taken out: there is nothing to say',
    nothing: 'stays as it is: there is nothing to say',
    refused: 'is left alone',
    skipped: 'is skipped',
    failed: 'could not be read',
  } as Record<string, string>,
  created: 'a new file',
  deleted: 'the file is only ours and will be deleted',
  lines: (lines: number[]) => `${lines.length === 1 ? 'line' : 'lines'} ${lines.map(number).join(', ')}`,
  elsewhere: (file: string) => `its text is in ${file}`,
  compare: 'Compare',
  compareOf: (name: string) => `Compare ${name}`,
  hide: 'Hide the comparison',
  diff: (name: string) => `${name}, as it is and as it would be`,
  before: 'As it is',
  after: 'As it would be',
  write: 'Write',
  writeOf: (name: string) => `Write ${name}…`,
  writeAll: 'Write all',
  remove: 'Take the block out',
  removeOf: (name: string) => `Take the block out of ${name}…`,
  confirmWrite: (name: string) => `Write ${name}?`,
  confirmWriteText: 'Only the part between our two marker lines changes. Every other byte stays as it is.',
  otherTitle: (branch: string, where: string) => `This is the block of ${subject(branch)}, but ${where}`,
  otherText:
    'An assistant that works here would read the memory of a branch that it does not see. You are asked before it is written.',
  showCheckedOut: 'Show what is checked out',
  confirmOther: (branch: string) => `Write the block of ${subject(branch)}?`,
  confirmOtherText: (branch: string, where: string) =>
    `Assistants here would read the memory of ${subject(branch)}, but ${where}. Only the part between our two marker lines changes.`,
  writeOther: 'Write it all the same',
  confirmRemove: (name: string) => `Take the block out of ${name}?`,
  confirmRemoveText:
    'The part between our two marker lines goes. Every other byte stays. The memory itself is not touched.',
  did: {
    written: (name: string) => `${name} is written.`,
    unchanged: (name: string) => `${name} was up to date.`,
    removed: (name: string) => `The block is out of ${name}.`,
    nothing: (name: string) => `There was nothing to do in ${name}.`,
    refused: (name: string) => `${name} was left alone`,
    skipped: (name: string) => `${name} was skipped`,
    failed: (name: string) => `${name} could not be written`,
  } as Record<string, (name: string) => string>,
  why: (did: string, reason: string) => `${did}: ${reason}.`,
}
