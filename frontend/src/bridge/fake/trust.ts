import type { Bridge } from '../bridge'
import { BridgeProblem } from '../problem'
import type * as t from '../types'
import type { World } from './world'

// trustCalls are what a project asks for. The second project asks for one thing
// of each kind; with the option asks the first does, to which the person has
// said nothing yet ("asked"), yes ("given") or yes to less ("changed"); with
// "many" there is more than anybody reads.
export function trustCalls(w: World): Pick<Bridge, 'trust' | 'giveTrust' | 'revokeTrust'> {
  const kind = w.options.get('asks')
  const root = w.projects[kind === null ? 1 : 0]?.root
  const all = claimsOf(root ?? '', kind === 'many' ? 60 : 1)
  const yes = new Map<string, { digest: string; at: t.Time }>() // by a claim's name
  const at = new Date(Date.now() - 3 * 86_400_000).toISOString()
  if (kind === 'given' || kind === 'changed') {
    for (const c of all.slice(0, kind === 'given' ? all.length : 2)) yes.set(c.name, { digest: '', at })
  }
  const unseen = (on: boolean) => {
    const branch = root && w.branches.get(root)?.find((b) => b.current)
    if (!root || !branch) return
    const items = w.bank(root, branch.name).items
    for (const [i, item] of items.entries()) {
      if (i % 4 === 1) item.unseen = on || undefined
    }
    branch.unseen = items.filter((i) => i.unseen).length
  }
  unseen(all.some((c) => c.kind === 'memory' && !yes.has(c.name)))

  const look = (of: string): t.Trust => {
    w.project(of)
    if (of !== root) return { root: of, status: 'nothing', digest: 'none', claims: [] }
    const claims = all.map((c) => ({ ...c, given: yes.has(c.name) }))
    const given = claims.filter((c) => c.given).length
    return {
      root: of,
      status: given === claims.length ? 'given' : given ? 'changed' : 'asked',
      digest: `${claims.length}-${JSON.stringify(claims.map((c) => c.value)).length}`,
      claims,
      at: [...yes.values()].at(-1)?.at,
    }
  }
  const told = (of: string) => {
    for (const what of ['trust', 'settings', 'memory', 'plugins'] as const) w.changed(of, what)
  }
  return {
    async trust(of) {
      return look(of)
    },
    async giveTrust(of, digest, kinds) {
      const now = look(of)
      if (now.digest !== digest) {
        throw new BridgeProblem({
          code: 'changed',
          message: 'the project asks for something else now than what was shown',
        })
      }
      if (of === root) {
        for (const c of all) {
          if (!kinds.length || kinds.includes(c.kind)) yes.set(c.name, { digest, at: w.now() })
        }
        unseen(all.some((c) => c.kind === 'memory' && !yes.has(c.name)))
      }
      told(of)
      return look(of)
    },
    async revokeTrust(of) {
      if (of === root) {
        yes.clear()
        unseen(true)
      }
      told(of)
      return look(of)
    },
  }
}

function claimsOf(root: string, many: number): t.Claim[] {
  const claim = (kind: t.ClaimKind, name: string, words: string, value?: unknown): t.Claim => ({
    kind,
    name,
    words,
    value,
    given: false,
  })
  return [
    claim(
      'setting',
      'model.base_url',
      'What you and your assistants said, and your key, would be sent to http://models.example.invalid:8080.',
      'http://models.example.invalid:8080/v1\u202e',
    ),
    claim('setting', 'budget.day_dollars', 'A model could cost up to $50 a day, in place of your $1.', 50),
    claim(
      'setting',
      'extractors',
      'Every conversation would be read by dev.recollect.model-notes, which asks your model.',
      ['dev.recollect.offline', 'dev.recollect.model-notes'],
    ),
    claim(
      'link',
      'CLAUDE.md',
      `${root}/CLAUDE.md is a link: what is injected would be written into /home/sam/notes/team.md.`,
      '/home/sam/notes/team.md',
    ),
    ...Array.from({ length: many }, (_, i) =>
      claim(
        'memory',
        i ? `feature/part-${i}` : 'main',
        '2 items that came with the repository would be shown to assistants.',
        [
          { section: 'conventions', content: 'Run `make all` before each commit.' },
          { section: 'facts', content: 'The staging shop is at http://shop.example.invalid.' },
        ],
      ),
    ),
    claim(
      'state',
      'versions',
      'Earlier states of the memory, which came with the folder, could be put back by you.',
    ),
  ]
}
