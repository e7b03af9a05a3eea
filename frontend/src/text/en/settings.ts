import { duration, number, plural } from '../../format/number'

export const settings = {
  title: 'Settings',
  groups: {
    ways: 'A model, or none',
    model: 'Model and key',
    budget: 'Budgets',
    memorize: 'Memorizing',
    background: 'In the background',
    archive: 'Archive',
    inject: 'Injection',
    trust: 'What the project asks for',
    app: 'App',
    data: 'Data',
    other: 'Other',
  },
  optional: 'The rest is optional: what stands there already works.',
  jump: 'Groups of settings',
  scope: 'What you change here holds for',
  scopeUser: 'All projects',
  scopeProject: (name: string) => `This project only: ${name}`,
  scopeNone: 'Choose a project at the top to give it settings of its own.',
  from: {
    default: 'Built-in',
    user: 'Yours, for all projects',
    project: 'This project’s',
  },
  fromProjectHere: (value: string) => `This project has its own: ${value}`,
  showProject: 'Show this project’s',
  reset: 'Reset',
  resetOf: (label: string) => `Reset ${label}`,
  alwaysUser: 'These hold for all projects.',
  personOnly: 'These are yours, for all projects.',
  asked: (value: string) => `This project asks for: ${value}. That waits for your yes.`,
  saved: (label: string, where: string) => `${label}: saved for ${where}`,
  wasReset: (label: string, where: string) => `${label}: reset for ${where}`,
  whereUser: 'all projects',
  whereProject: 'this project',
  values: (v: unknown): string => {
    if (v === true) return 'on'
    if (v === false) return 'off'
    if (Array.isArray(v)) return v.join(', ')
    if (v === -1) return 'no limit'
    return v === '' ? 'empty' : String(v)
  },

  fields: {
    'model.provider': { label: 'Who answers', hint: '' },
    'model.name': { label: 'Model', hint: 'The vendor’s name of the model. Empty: its default.' },
    'model.base_url': {
      label: 'Address of the service',
      hint: 'Empty: the vendor’s own. It must begin with https, or be on this machine.',
    },
    'budget.run_calls': { label: 'Calls', hint: '' },
    'budget.run_tokens': { label: 'Tokens', hint: '' },
    'budget.run_dollars': { label: 'US dollars', hint: '' },
    'budget.day_calls': { label: 'Calls', hint: '' },
    'budget.day_tokens': { label: 'Tokens', hint: '' },
    'budget.day_dollars': { label: 'US dollars', hint: '' },
    'budget.plugin_day_calls': { label: 'Calls', hint: '' },
    'budget.plugin_day_tokens': { label: 'Tokens', hint: '' },
    'budget.plugin_day_dollars': { label: 'US dollars', hint: '' },
    sources: { label: 'Histories that are read', hint: 'The assistants whose conversations are memorized.' },
    extractors: {
      label: 'Extractors',
      hint: 'The plug-ins that find what is worth remembering, in this order.',
    },
    schema: { label: 'Schema', hint: 'The plug-in that says which sections a memory has.' },
    policy: { label: 'Policy', hint: 'The plug-in that says what of a memory is shown, and in which order.' },
    'review.enabled': {
      label: 'New items wait for my review',
      hint: 'On: what a run finds waits on the Review screen. Off: it goes into the memory at once; you can take it back in Versions.',
    },
    'watch.memorize': {
      label: 'Memorize when a conversation is over',
      hint: 'On: once nothing was said in a branch for a while, the background service memorizes what is new. Off: it waits for you, or for maintenance.',
    },
    'watch.idle': {
      label: 'Minutes without a word until then',
      hint: 'From 1 minute to a day, which is 1,440 minutes.',
    },
    'maintenance.enabled': {
      label: 'Keep memories up by themselves',
      hint: 'On: the background service does what follows at its times. Off: it is done only when you press Maintain now on the Dashboard.',
    },
    'maintenance.nightly': {
      label: 'When to tidy',
      hint: 'Brings together what is said twice, and looks for contradictions.',
    },
    'maintenance.weekly': {
      label: 'When to catch up',
      hint: 'Memorizes what is new, and packs what is old.',
    },
    'maintenance.monthly': {
      label: 'When to check',
      hint: 'Makes the indexes anew, and checks everything that is stored.',
    },
    'archive.enabled': {
      label: 'Keep conversations that were read',
      hint: 'Assistants remove their transcripts after some weeks. What is kept still shows you where an item came from. It stays on this machine.',
    },
    'archive.redact': {
      label: 'Take secrets out of what is kept',
      hint: 'Such as keys and passwords, before anything is stored.',
    },
    'archive.limit': {
      label: 'Megabytes at most',
      hint: 'For all projects together. When it is full, the oldest conversations that no item came from go first.',
    },
    'inject.enabled': {
      label: 'Write what is remembered into the files that assistants read',
      hint: 'Off: no file is written. What is there stays until you remove it on the Injection screen.',
    },
    'inject.auto': {
      label: 'Keep them up to date',
      hint: 'They are written after each change of the memory, and when another branch is checked out while this window is open or the service runs.',
    },
    'inject.targets': {
      label: 'Files',
      hint: 'One on each line, from the project’s top folder: CLAUDE.md, AGENTS.md, GEMINI.md, …',
    },
    'inject.budget': {
      label: 'Tokens for the block',
      hint: 'Headings included. What does not fit is left out.',
    },
    'inject.unseen': {
      label: 'Memory that came with a repository',
      hint: 'What becomes of items that you did not look at yet.',
    },
    'safe.folders': {
      label: 'Folders of others that you trust',
      hint: 'One on each line, with all that is beneath it. Recollect writes there although it belongs to another user, or others can write there.',
    },
    'ui.theme': { label: 'Theme', hint: '' },
    'ui.notify': {
      label: 'Notifications',
      hint: 'One appears when work in the background has changed a memory. Nothing new: nothing appears.',
    },
  } as Record<string, { label: string; hint: string }>,
  maintenance: {
    title: 'Maintenance',
    intro: 'This happens while the background service runs. What was missed is made up for, once.',
    noService: 'The background service does not run now, so nothing of this happens.',
    toService: 'Background service',
    paused: 'The background service is paused, so nothing of this happens.',
    own: (expression: string) => `Another time: ${expression}`,
    expression: 'Cron expression',
    expressionHint:
      'For other times, write a cron expression: minute, hour, day, month, day of the week, by the clock of this machine. “30 1 * * 1-5” is half past one at night, Monday to Friday; empty is never.',
    never: 'Never',
    last: 'Last:',
    next: 'Next:',
    notYet: 'not yet',
    presets: {
      'maintenance.nightly': {
        '0 2 * * *': 'Every night at two',
        '0 3 * * *': 'Every night at three',
        '0 12 * * *': 'Every day at noon',
        '0 2 * * 1-5': 'Monday to Friday at two at night',
        '0 */6 * * *': 'Every six hours',
      },
      'maintenance.weekly': {
        '0 3 * * 0': 'Sundays at three at night',
        '0 3 * * 6': 'Saturdays at three at night',
        '0 12 * * 5': 'Fridays at noon',
        '0 3 * * *': 'Every night at three',
      },
      'maintenance.monthly': {
        '0 4 1 * *': 'Monthly on the 1st, at four at night',
        '0 12 1 * *': 'Monthly on the 1st, at noon',
        '0 4 1 */3 *': 'Every three months, at four at night',
      },
    } as Record<string, Record<string, string>>,
  },
  watch: 'While you work',
  archiveIntro:
    'These are yours, for all projects. A project may only turn the archive off for itself, or have secrets taken out.',
  otherIntro: 'These are new: this window has no better words for them yet.',
  oneEach: 'One on each line.',
  budgets: {
    run: 'One run',
    day: 'One day, over all projects',
    plugin_day: 'Each plug-in, a day',
  },
  budgetIntro:
    'A model is not asked beyond these. They only matter with a model; the price is that of the vendor’s list.',
  noLimit: 'No limit',
  noLimitOf: (what: string, of: string) => `${what}, ${of}: no limit`,
  amountOf: (what: string, of: string) => `${what}, ${of}`,
  errors: {
    number: 'This is not a number.',
    whole: 'This must be a whole number.',
    least: (n: number) => `At least ${number(n)}.`,
    most: (n: number) => `At most ${number(n)}.`,
    negative: 'This can’t be below 0. For no limit, tick the box.',
    one: 'At least one is needed.',
    twice: (what: string) => `“${what}” is there twice.`,
    path: (what: string) => `“${what}” must be a file below the project’s top folder.`,
    address:
      'This must be an https address, or an http one of this machine, such as http://127.0.0.1:11434/v1.',
  },

  providers: {
    none: {
      name: 'Nobody',
      text: 'Recollect works without a model, and nothing leaves this machine. Plug-ins that ask one find nothing.',
    },
    'claude-cli': {
      name: 'The claude program',
      text: 'Claude Code on this machine answers, with its own login and your subscription. No key is needed.',
    },
    anthropic: {
      name: 'Anthropic',
      text: 'Their service, with your key. What a plug-in sends goes there and is charged to you.',
    },
    openai: {
      name: 'OpenAI, or a compatible service',
      text: 'OpenAI with your key, or any server that speaks the same way. One on this machine, such as Ollama or LM Studio, needs no key, and nothing leaves this machine.',
    },
  } as Record<string, { name: string; text: string }>,
  localServers: 'A server on this machine',
  key: {
    label: (who: string) => `Key for ${who}`,
    hint: 'It goes into the keyring of your system and is never shown again.',
    place: {
      keyring: 'A key is in the keyring of your system.',
      environment: 'A key is in the environment of this program.',
      file: 'A key is in a file.',
    } as Record<string, string>,
    none: 'There is no key.',
    noneLocal: 'There is no key. A server on this machine mostly needs none.',
    replaces: 'Another one takes its place.',
    environment: 'The environment comes first: a key that you store here is not used while it is there.',
    looked: 'Where it was looked for',
    places: { keyring: 'Keyring', environment: 'Environment', file: 'File' } as Record<string, string>,
    found: 'found',
    notFound: 'not there',
    save: 'Store the key',
    saved: 'The key is stored in the keyring',
    needed: 'Paste the key first.',
    remove: 'Delete the key…',
    removeTitle: 'Delete the key?',
    removeText:
      'It is taken out of the keyring, and out of Recollect’s file. A key in the environment stays.',
    removeDo: 'Delete',
    removed: 'The key is deleted',
  },
  test: {
    do: 'Test the model',
    hint: 'Asks one short question, within your budget, with the settings that hold here.',
    doing: 'Asking…',
    good: (model: string) => `${model} answered`,
    figures: (input: number, output: number, ns: number) =>
      `${plural(input, 'token', 'tokens')} read, ${plural(output, 'token', 'tokens')} written, ${duration(ns)}`,
  },
  toPlugins: 'Open Plug-ins',
  toInjection: 'Look at the block',
  unseen: {
    hold: { name: 'Hold it back', text: 'No assistant is shown it until you looked at it.' },
    ask: { name: 'Ask me first', text: 'The command line asks; everything else holds it back.' },
    show: { name: 'Show it', text: 'Assistants are shown whatever a repository brings.' },
  } as Record<string, { name: string; text: string }>,
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  autostart: {
    label: 'Start the background service at login',
    hint: 'It shows in the tray, memorizes when you ask, and maintains memories.',
    on: 'The background service starts at login',
    off: 'The background service no longer starts at login',
    not: (why: string) => `Not possible here: ${why}`,
  },
  service: {
    title: 'Background service',
    running: 'It runs.',
    paused: 'It runs, and is paused: it does nothing by itself.',
    none: 'It does not run. What you start in this window runs in this window.',
    pause: 'Pause',
    resume: 'Resume',
    didPause: 'The background service is paused',
    didResume: 'The background service goes on',
  },
  folders: {
    config: 'Your settings',
    data: 'Plug-ins and what can’t be made again',
    cache: 'Indexes and compiled plug-ins; may be deleted',
    project: 'This project, with its memory in .recollect',
    open: 'Open',
    openOf: (what: string) => `Open the folder: ${what}`,
  },
  version: (v: string) => `Version ${v}`,
  promise: 'Recollect updates nothing by itself and sends nothing except to the model that you choose.',
}
