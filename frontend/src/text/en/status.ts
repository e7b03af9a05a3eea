import type { BranchReport, Job, Outcome, Status } from '../../bridge'
import { plural } from '../../format/number'
import { subject } from './branch'
import { notLetIn } from './rejected'

const steps: Record<string, string> = {
  read: 'reading the history',
  extract: 'looking for what is worth keeping',
  merge: 'comparing with what is remembered',
  save: 'saving',
  compile: 'preparing the plug-ins, once',
  memorize: 'memorizing what is new',
  tidy: 'bringing together what is said twice',
  pack: 'packing what is old',
  rebuild: 'making indexes anew',
  check: 'checking what is stored',
}

function outcome(r: BranchReport): string {
  const words = became(r)
  return r.suggestions
    ? `${words}; ${plural(r.suggestions, 'suggestion waits', 'suggestions wait')} under Review`
    : words
}

function became(r: BranchReport): string {
  switch (r.outcome) {
    case 'memorized':
      return changes(r)
    case 'proposed':
      return `${plural(r.changes?.length ?? r.found, 'proposal waits', 'proposals wait')} for your review`
    case 'unchanged':
      return 'nothing new: the memory stays as it is'
    case 'empty':
      if (r.reason === 'rejected') return `read, but ${notLetIn(r.rejected ?? [])}`
      return r.found
        ? 'read, but nothing was sure enough to keep'
        : 'read, but nothing worth keeping was found'
    case 'skipped':
      return r.reason ? `skipped: ${r.reason}` : 'skipped'
    case 'failed':
      return `failed: ${r.problem?.message ?? r.reason ?? 'no reason was given'}`
  }
}

function changes(r: BranchReport): string {
  const count = (action: string) => (r.changes ?? []).filter((c) => c.action === action).length
  const added = count('added')
  const parts = [
    added && `${plural(added, 'item', 'items')} added`,
    count('updated') && `${count('updated')} updated`,
    count('superseded') && `${count('superseded')} replaced`,
    count('removed') && `${count('removed')} dropped`,
  ].filter(Boolean)
  const conflicts = r.conflicts?.length ?? 0
  if (conflicts) parts.push(`${plural(conflicts, 'conflict', 'conflicts')} to decide`)
  return parts.length ? parts.join(', ') : 'memorized, no item changed'
}

function ended(job: Job): string {
  const reports = job.reports ?? []
  if (job.kind === 'maintain' && !reports.length) return maintained(job)
  if (job.state === 'cancelled') return 'Memorizing was cancelled. Nothing is half done.'
  const only = reports.length === 1 ? reports[0] : undefined
  if (only) return `Memorizing ${subject(only.branch)}: ${outcome(only)}.`
  if (job.state === 'failed' && !reports.length) return `Memorizing failed: ${job.problem?.message ?? ''}`
  const words: [Outcome, string][] = [
    ['memorized', 'memorized'],
    ['proposed', 'wait for review'],
    ['unchanged', 'unchanged'],
    ['empty', 'without anything to keep'],
    ['skipped', 'skipped'],
    ['failed', 'failed'],
  ]
  const parts = words
    .map(([o, w]) => [reports.filter((r) => r.outcome === o).length, w] as const)
    .filter(([n]) => n > 0)
    .map(([n, w]) => `${n} ${w}`)
  return `Memorizing ${job.project}, ${plural(reports.length, 'branch', 'branches')}: ${parts.join(', ') || 'nothing to do'}.`
}

// What came of each part of a maintenance that did something, or could not.
function maintained(job: Job): string {
  const what = `Maintaining ${job.project}`
  if (job.state === 'cancelled') return `${what} was cancelled. Nothing is half done.`
  if (job.state === 'failed') return `${what} failed: ${job.problem?.message ?? 'no reason was given'}`
  const parts = (job.maintained?.parts ?? []).filter((p) => p.outcome !== 'nothing' && p.words)
  const words = (p: { words: string }) => p.words.replace(/^put off: /, '')
  const all = (outcome: string) => parts.length > 0 && parts.every((p) => p.outcome === outcome)
  if (all('put_off')) return `${what} was put off: ${sentences(parts.map(words))}`
  if (all('failed')) return `${what} failed: ${sentences(parts.map(words))}`
  if (parts.length) return `${what}: ${sentences(parts.map((p) => (leads[p.outcome] ?? '') + words(p)))}`
  return job.maintained ? `${what}: there was nothing to do.` : `${what}: done.`
}

const leads: Record<string, string> = { put_off: 'put off: ', failed: 'failed: ' }

function sentences(parts: string[]): string {
  const unique = [...new Set(parts)]
  return `${unique.map((p, i) => (i ? p.charAt(0).toUpperCase() + p.slice(1) : p)).join('. ')}.`
}

function running(job: Job): string {
  const verb = {
    memorize: 'Memorizing',
    preview: 'Looking at',
    try: 'Trying an extractor on',
    approve: 'Checking a plug-in',
    maintain: 'Maintaining',
  }[job.kind]
  const what = job.kind === 'approve' ? '' : ` ${job.branch ? subject(job.branch) : job.project}`
  const of = job.branches > 1 ? ` (${job.number || 1} of ${job.branches})` : ''
  const step = job.step ? `: ${steps[job.step] ?? job.step}` : ''
  return `${verb}${what}${of}${step}`
}

export const status = {
  bar: 'Status',
  states: {
    ready: 'Ready',
    working: 'Working',
    attention: 'Attention',
    error: 'Error',
  } satisfies Record<Status['state'], string>,
  screenFailed: 'this screen could not be drawn',
  screenFailedHint: 'Nothing was lost. Try again, or go to another screen.',
  unknown: 'Not known yet',
  unreachable: 'The program does not answer',
  noFolder: 'The folder of this project is gone',
  details: 'Status details',
  lastError: 'Last error',
  noError: 'No error since the start.',
  service: {
    running: 'The background service runs.',
    paused: 'The background service is paused.',
    none: 'No background service: what you start here runs in this window.',
    pause: 'Pause',
    resume: 'Resume',
    version: (v: string) => `Version ${v}`,
  },
  stale: (file: string, words: string) => `${file} shows ${words}`,
  waits: 'Waits for you',
  nothingWaits: 'Nothing waits for you.',
  cancelJob: 'Cancel',
  cancelJobOf: (what: string) => `Cancel: ${what}`,
  moreJobs: (n: number) => plural(n, 'more job', 'more jobs'),
  progress: 'Progress',
  byService: 'by the background service',
  steps,
  outcome,
  ended,
  running,
}
