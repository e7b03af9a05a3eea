import type { Bridge } from '../bridge'
import { BridgeProblem } from '../problem'
import type * as t from '../types'
import { sections } from './words'
import { tokens, type World } from './world'

type DecideCalls = Pick<
  Bridge,
  'review' | 'decide' | 'undoReview' | 'conflicts' | 'resolveConflict' | 'previewInjection' | 'inject'
>

// decideCalls are review, conflicts and injection. Proposals and conflicts are
// those of the first project.
export function decideCalls(w: World): DecideCalls {
  const first = () => w.projects[0]?.root
  const waiting = (root: string) => (root === first() ? w.proposals : [])
  const count = (root: string) => {
    for (const b of w.branches.get(root) ?? []) {
      b.waiting = waiting(root).filter((p) => p.branch === b.name && !p.suggestion).length
    }
  }
  const written = new Set<string>()

  return {
    async review(root) {
      return structuredClone(waiting(root))
    },
    async decide(root, decisions) {
      const before = w.proposals
      const chosen = decisions.map((d) => ({ d, p: before.find((p) => p.id === d.id) }))
      const stale = chosen.filter((c) => !c.p).map((c) => c.d.id)
      const saved: string[] = []
      for (const branch of new Set(chosen.flatMap((c) => (c.p && c.d.accept ? [c.p.branch] : [])))) {
        const own = chosen.filter((c) => c.p?.branch === branch && c.d.accept)
        let items = structuredClone(w.bank(root, branch).items)
        for (const { d, p } of own) if (p) items = apply(w, items, p, d)
        saved.push(w.save(root, branch, items))
      }
      w.proposals = before.filter((p) => !decisions.some((d) => d.id === p.id))
      const undo = w.id('r')
      w.undos.set(undo, () => {
        for (const u of saved) w.undos.get(u)?.()
        w.proposals = before
      })
      count(root)
      w.changed(root, 'review')
      return { left: structuredClone(w.proposals), undo, stale }
    },
    async undoReview(root, undo) {
      const back = w.undos.get(undo)
      if (!back) throw new BridgeProblem({ code: 'changed', message: 'this can no longer be undone' })
      back()
      count(root)
      w.changed(root, 'review')
      return { left: structuredClone(w.proposals), undo: '', stale: [] }
    },
    async conflicts(root, all) {
      const own = root === first() ? w.conflicts : []
      return structuredClone(own.filter((c) => all || c.resolution.status === 'unresolved'))
    },
    async resolveConflict(root, id, decision, note) {
      const found = w.conflicts.find((c) => c.id === id)
      if (!found)
        throw new BridgeProblem({ code: 'no_conflict', message: 'this conflict is no longer there' })
      const before = structuredClone(found)
      const undo = w.id('c')
      w.undos.set(undo, () => {
        Object.assign(found, before)
        w.changed(root, 'conflicts')
      })
      found.status = 'resolved'
      found.resolution = { status: 'resolved', decision, reasoningNotes: note, resolvedAt: w.now() }
      w.changed(root, 'conflicts')
      return { ...structuredClone(found), undo }
    },
    async previewInjection(root, branch) {
      return injection(w, root, branch || headOf(w, root).branch, written.has(root), false)
    },
    async inject(root, asked, _targets, remove, other) {
      const head = headOf(w, root)
      const branch = asked || head.branch
      if (branch !== head.branch && !remove && !other)
        throw new BridgeProblem({
          code: 'other_branch',
          message: `assistants here would read the memory of "${branch}", but ${head.branch} is checked out`,
        })
      const out = injection(w, root, branch, written.has(root), true, remove)
      if (remove) written.delete(root)
      else written.add(root)
      return out
    },
  }
}

// headOf is what git has checked out.
export function headOf(w: World, root: string): t.Head {
  const branch = w.branches.get(root)?.find((b) => b.current)?.name
  return branch ? { state: 'branch', branch } : { state: 'none', branch: 'no branch' }
}

function apply(w: World, items: t.Item[], p: t.Proposal, d: t.Decision): t.Item[] {
  const content = d.content ?? p.content
  const section = d.section ?? p.section
  if (p.action === 'remove') return items.filter((i) => i.content !== p.content)
  if (p.action === 'add')
    return [...items, w.newItem(section, content, 'dev.recollect.offline', p.confidence)]
  return items.map((i) => (i.content === p.before ? { ...i, content, section, updated: w.now() } : i))
}

// The lamp has no such file yet.
const ownOf = (root: string) => (root.endsWith('weather-lamp') ? '' : own)
const own = '# Corner shop\n\nRun `npm test` before you commit.\n'

function injection(
  w: World,
  root: string,
  branch: string,
  there: boolean,
  done: boolean,
  remove = false,
): t.Injection {
  w.project(root)
  const items = structuredClone(w.bank(root, branch).items)
  const budget = 300
  const order = ['conventions', 'architectural-decisions', 'bug-patterns', 'facts']
  const held = items.filter((i) => i.unseen)
  const wanted = order.flatMap((s) => items.filter((i) => i.section === s && !i.unseen))
  const shown: t.Item[] = []
  const left: { id: string; reason: string; why?: string; needs?: number }[] = []
  for (const i of wanted) {
    if (tokens([...shown, i]) <= budget) shown.push(i)
    else left.push({ id: i.id, reason: 'budget', needs: tokens([i]) })
  }
  left.push(
    ...items
      .filter((i) => !wanted.includes(i) && !i.unseen)
      .map((i) => ({ id: i.id, reason: 'not selected', why: 'its section is not asked for' })),
  )
  left.push(...held.map((i) => ({ id: i.id, reason: 'unseen' })))
  const lines = ['## Branch Memory (auto-extracted)', '']
  for (const id of order) {
    const part = shown.filter((i) => i.section === id)
    if (!part.length) continue
    lines.push(
      `### ${sections.find((s) => s.id === id)?.heading}`,
      '',
      ...part.map((i) => `- ${i.content}`),
      '',
    )
  }
  const text = shown.length ? lines.join('\n') : ''
  const block = `<!-- recollect:begin -->\n${text}<!-- recollect:end -->\n`
  const mine = ownOf(root)
  const with_ = mine ? `${mine}\n${block}` : block
  const before = there ? with_ : mine
  const after = remove || !text ? mine : with_
  const outcome = before === after ? (text ? 'unchanged' : 'nothing') : remove ? 'removed' : 'written'
  const head = headOf(w, root)
  return {
    branch,
    head,
    checked_out: branch === head.branch,
    budget,
    held: held.length,
    block: {
      kind: 'markdown',
      text,
      tokens: text ? tokens(shown) : 0,
      shown: shown.map((i) => ({ id: i.id, section: i.section, why: i.pinned ? 'pinned' : undefined })),
      left,
      order,
      shares: { conventions: 120, 'architectural-decisions': 90, 'bug-patterns': 60, facts: 30 },
      full: tokens(wanted) > budget ? tokens(wanted) : undefined,
    },
    items,
    standing: there ? shown.map((i) => i.id) : [],
    targets: [
      {
        path: `${root}/CLAUDE.md`,
        name: 'CLAUDE.md',
        file: `${root}/CLAUDE.md`,
        outcome,
        lines: [4, 4 + lines.length],
        created: (before === '' && after !== '') || undefined,
        ...(done ? {} : { before: before || undefined, after: after || undefined }),
      },
      { path: `${root}/AGENTS.md`, name: 'AGENTS.md', outcome: 'skipped', reason: 'the file is not there' },
    ],
  }
}
