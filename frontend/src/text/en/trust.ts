import type { Claim, ClaimKind } from '../../bridge'
import { plural } from '../../format/number'

const counted: Record<ClaimKind, (n: number) => string> = {
  setting: (n) => plural(n, 'setting', 'settings'),
  link: (n) => plural(n, 'link', 'links'),
  memory: (n) => `the memory of ${plural(n, 'branch', 'branches')}`,
  state: (n) => `kept state in ${plural(n, 'place', 'places')}`,
}
const kinds = Object.keys(counted) as ClaimKind[]

export const trust = {
  // kinds are in the order in which they are shown.
  kinds,
  banner: {
    label: 'What this project asks for',
    asked: (name: string) => `${name} asks for more than may count by itself`,
    changed: (name: string) => `${name} asks for more than you said yes to`,
    left: (what: string) => `${what}: left aside until you decide. Everything else works.`,
    open: 'See and decide',
  },
  // what lists how much of each kind there is: "2 settings, 1 link".
  what: (claims: Claim[]): string =>
    kinds
      .map((kind) => [kind, claims.filter((c) => c.kind === kind).length] as const)
      .filter(([, n]) => n > 0)
      .map(([kind, n]) => counted[kind](n))
      .join(', ')
      .replace(/^./, (c) => c.toUpperCase()),
  waits: (n: number) => `${plural(n, 'thing', 'things')} that this project asks for`,

  title: (name: string) => `What ${name} asks for`,
  asked:
    'This came with the project’s files: whoever made them asks, not you. Nothing of it counts until you say yes to it.',
  changedText:
    'You said yes to a part of what this project asks for. What is marked as new does not count until you say yes to it.',
  given: 'You said yes to exactly this. It counts as long as the project asks for nothing else.',
  nothing: 'Nothing',
  nothingText:
    'This project asks for nothing that does not count by itself. If its files ask for more one day, you are told here.',
  at: 'You said yes',
  heads: {
    setting: 'Settings',
    link: 'Links',
    memory: 'Memory that came with the repository',
    state: 'Kept state',
  } as Record<ClaimKind, string>,
  about: {
    setting: 'Until then your own settings count in their place.',
    link: 'Until then nothing is written through them.',
    memory: 'Until then no assistant is shown these items. You can read them under Memory.',
    state: 'Until then Recollect begins anew without it.',
  } as Record<ClaimKind, string>,
  value: 'In the file:',
  fresh: 'new',
  known: 'you said yes before',
  more: (n: number) => `Show ${plural(n, 'more', 'more')}`,
  moreFirst: 'Show all of it before you say yes.',
  body: 'Everything that it asks for',
  notNow: 'Not now',
  yes: 'Yes, let this count',
  yesTo: {
    setting: 'Yes to the settings',
    link: 'Yes to the links',
    memory: 'Yes to the memory',
    state: 'Yes to the kept state',
  } as Record<ClaimKind, string>,
  revoke: 'Take the yes back…',
  revokeTitle: (name: string) => `Take the yes to ${name} back?`,
  revokeText: 'What it asks for no longer counts, from the next step of Recollect on. No file changes.',
  revokeDo: 'Take it back',
  meanwhile: {
    message: 'It asks for something else by now.',
    hint: 'Nothing was said yes to. This is what it asks for now.',
  },
  did: {
    give: (name: string) => `What ${name} asks for counts now`,
    giveKind: {
      setting: 'The settings count now',
      link: 'The links are followed now',
      memory: 'The items are shown to assistants now',
      state: 'The kept state is taken over',
    } as Record<ClaimKind, string>,
    revoke: (name: string) => `The yes to ${name} is taken back`,
  },
  failed: 'What this project asks for could not be looked at',

  unseen: 'came with the repository, not looked at yet',
  unseenShort: (n: number) => `${plural(n, 'item', 'items')} not looked at yet`,
  unseenTitle: (n: number) =>
    `${plural(n, 'item', 'items')} of this memory came with the repository and ${n === 1 ? 'was' : 'were'} not looked at yet`,
  unseenText: 'They are marked below. No assistant is shown them until you say yes to them.',
  heldTitle: (n: number) => `${plural(n, 'item is', 'items are')} held back`,
  heldText:
    'They came with the repository and you have not looked at them yet. No assistant is shown them until you say yes to them.',

  settings: {
    given: (what: string) => `You said yes to what this project asks for: ${what}.`,
    asked: (what: string) => `This project asks for more than may count by itself: ${what}.`,
    look: 'See what it asks for',
    open: 'See and decide',
  },
}
