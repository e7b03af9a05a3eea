import type { Bridge } from '../bridge'
import { BridgeProblem } from '../problem'
import type * as t from '../types'
import { defaults, kitchenSink, misfit, modelNotes, ranked } from './schemas'
import { hostile } from './words'
import { ago, type World } from './world'

type PluginCalls = Pick<
  Bridge,
  | 'plugins'
  | 'addPlugin'
  | 'enablePlugin'
  | 'usePlugin'
  | 'configurePlugin'
  | 'resumePlugin'
  | 'pluginUses'
  | 'removePlugin'
  | 'pluginLog'
>

const read: t.Power = {
  capability: 'history:read',
  words:
    'It reads what you and the assistant said on the branch at hand: no files, no output of tools, no secret that is recognised.',
  grave: false,
}
const ask: t.Power = {
  capability: 'llm:call',
  words:
    'It asks your model, at most 16 times in one call and within your budget. It may send what you and the assistant said and what is remembered: that leaves this machine unless the model runs on it, and may cost money.',
  grave: true,
}
const keep: t.Power = {
  capability: 'storage',
  words:
    'It keeps notes of its own in each project, on this machine and up to 10 MB; they stay when it is removed.',
  grave: false,
}

function metrics(calls: number): t.Metrics {
  return {
    since: calls ? ago(30) : undefined,
    calls,
    faults: 0,
    guest_ns: calls * 38e6,
    host_ns: calls * 9e6,
    host_calls: calls * 12,
    model_calls: 0,
    fuel: calls * 4_000_000,
    memory_bytes: calls ? 7_340_032 : 0,
    load_ns: calls ? 61e6 : 0,
  }
}

function limits(over: Partial<t.Limits> = {}): t.Limits {
  return {
    memory_bytes: 67_108_864,
    wall_ns: 30e9,
    fuel: 50e9,
    host_calls: 256,
    model_calls: 4,
    ...over,
  }
}

function samples(): t.Plugin[] {
  const base = {
    version: '1.0.0',
    license: 'Apache-2.0',
    approved: true,
    disabled: false,
    built_in: true,
    used_as: [],
    powers: [],
  }
  return [
    {
      ...base,
      id: 'dev.recollect.model-notes',
      name: 'Model notes',
      description:
        'Finds what is worth remembering, and brings it into the memory, with the help of your language model.',
      roles: ['extractor'],
      powers: [
        {
          ...ask,
          reason:
            'It asks your model what is worth remembering: one request for each session, more for a long one.',
        },
        { ...read, reason: 'It shows your model what you and the assistant said on the branch, shortened.' },
      ],
      schema: modelNotes,
      config: { model: '', max_turn_chars: 4000, min_confidence: 0.75, evolve: true, style: 'short' },
      limits: limits({ host_calls: 4096, model_calls: 32, wall_ns: 120e9 }),
      metrics: { ...metrics(6), model_calls: 14 },
    },
    {
      ...base,
      id: 'dev.recollect.notes',
      name: 'Notes',
      description:
        'One memory for each branch: facts, architectural decisions, conventions and bug patterns.',
      roles: ['schema'],
      limits: limits(),
      metrics: metrics(0),
    },
    {
      ...base,
      id: 'dev.recollect.offline',
      name: 'Offline',
      description: 'Finds what is worth remembering by how it is said. Needs no model and no network.',
      roles: ['extractor'],
      powers: [{ ...read, reason: 'It looks for rules, decisions, facts and causes of bugs.' }],
      limits: limits({ host_calls: 4096, wall_ns: 120e9 }),
      metrics: { ...metrics(128), faults: 2, last_fault: 'it took more than 2m0s in itself' },
    },
    {
      ...base,
      id: 'dev.recollect.ranked',
      name: 'Ranked',
      description:
        'Shows conventions first, then architectural decisions and bug patterns; what is surest first in each.',
      roles: ['policy'],
      schema: ranked,
      config: { sections: ['conventions', 'architectural-decisions', 'bug-patterns'] },
      limits: limits(),
      metrics: metrics(41),
    },
    {
      ...base,
      id: 'example.kitchen-sink',
      name: 'Kitchen sink',
      version: '1.2.0',
      description: 'Has every kind of setting that a form can show, and one that it can not.',
      roles: ['extractor', 'policy'],
      built_in: false,
      powers: [read],
      pending: {
        version: '2.0.0',
        sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
        powers: [ask, read, keep],
        more: [`llm:call: ${ask.words}`, `storage: ${keep.words}`, '128 MB of memory instead of 64'],
      },
      paused: 'it crashed 3 times in 10 minutes: wasm trap: unreachable',
      schema: kitchenSink,
      config: { mode: 'careful', tags: [] },
      limits: limits(),
      metrics: { ...metrics(9), faults: 3, last_fault: `wasm trap: unreachable ${hostile}` },
    },
    {
      ...base,
      id: 'example.todo-finder',
      name: 'Todo finder',
      version: '0.3.1',
      description: hostile,
      homepage: 'https://example.invalid/todo-finder',
      roles: ['extractor'],
      built_in: false,
      approved: false,
      pending: {
        version: '0.3.1',
        sha256: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
        powers: [{ ...ask, reason: hostile }, read, keep],
      },
      limits: limits(),
      metrics: metrics(0),
    },
  ]
}

// What the settings of the project name at first.
const used = new Map([
  ['extractor', ['dev.recollect.offline']],
  ['schema', ['dev.recollect.notes']],
  ['policy', ['dev.recollect.ranked']],
])

// pluginCalls gives the calls, and what an approval does in the end.
export function pluginCalls(w: World): {
  calls: PluginCalls
  approve: (root: string, id: string) => void
  list: () => t.Plugin[]
} {
  let list = samples()
  const uses = new Map<string, Map<string, string[]>>() // of each project, by role
  const of = (root: string) => {
    const own = uses.get(root) ?? new Map(used)
    uses.set(root, own)
    return own
  }
  const find = (id: string): t.Plugin => {
    const found = list.find((p) => p.id === id)
    if (!found) throw new BridgeProblem({ code: 'plugin', message: `there is no plug-in ${id}` })
    return found
  }
  const view = (root: string, p: t.Plugin): t.Plugin => ({
    ...structuredClone(p),
    used_as: [...of(root)].filter(([, ids]) => ids.includes(p.id)).map(([role]) => role),
  })
  const change = (root: string, id: string, patch: Partial<t.Plugin>): t.Plugin => {
    Object.assign(find(id), patch)
    w.changed(root, 'plugins')
    return view(root, find(id))
  }
  const calls: PluginCalls = {
    async plugins(root) {
      return { plugins: list.map((p) => view(root, p)) }
    },
    async addPlugin(root) {
      const id = 'org.example.notes-to-self'
      if (!list.some((p) => p.id === id)) list = [...list, added(id)]
      w.changed(root, 'plugins')
      return view(root, find(id))
    },
    async enablePlugin(root, id, enabled) {
      return change(root, id, { disabled: !enabled })
    },
    async usePlugin(root, id, role, use) {
      const ids = of(root).get(role) ?? []
      if (!use && (role !== 'extractor' || ids.length < 2)) {
        throw new BridgeProblem({
          code: 'refused',
          message: `${id} is the only ${role} of this project, which needs one`,
          hint: `use another ${role} in this project first; that puts this one out`,
        })
      }
      const others = role === 'extractor' ? ids.filter((x) => x !== id) : []
      of(root).set(role, use ? [...others, id] : others)
      return change(root, id, {})
    },
    async configurePlugin(root, id, config) {
      const p = find(id)
      const values = defaults(p.schema, config)
      const wrong = misfit(p.schema, values)
      if (wrong) {
        throw new BridgeProblem({
          code: 'settings',
          message: `plugins.${id} can't be ${JSON.stringify(config)}: want what the plug-in's schema says: the configuration of ${id} does not fit its schema: validating root: ${wrong}`,
        })
      }
      return change(root, id, { config: values })
    },
    async resumePlugin(root, id) {
      return change(root, id, { paused: undefined })
    },
    async pluginUses(root, id) {
      const roles = find(id).used_as
      return roles.length ? [{ root, file: `${root}/.recollect/config.json`, roles }] : []
    },
    async removePlugin(root, id) {
      find(id)
      list = list.filter((p) => p.id !== id)
      w.changed(root, 'plugins')
    },
    async pluginLog(_root, id) {
      find(id)
      if (id === 'dev.recollect.notes') return []
      return logOf(w.big ? 200 : 6)
    },
  }
  const approve = (root: string, id: string) => {
    const p = find(id)
    change(root, id, {
      approved: true,
      powers: p.pending?.powers ?? p.powers,
      version: p.pending?.version ?? p.version,
      pending: undefined,
    })
  }
  return { calls, approve, list: () => list }
}

function added(id: string): t.Plugin {
  const [, , keeper] = samples()
  return {
    ...(keeper as t.Plugin),
    id,
    name: 'Notes to self',
    description: 'Remembers lines that begin with “note to self:”.',
    built_in: false,
    approved: false,
    license: undefined,
    pending: {
      version: '1.0.0',
      sha256: '1f825aa2f0020ef7cf91dfa30da4668d791c5d4824fc8e41354b89ec05795ab3',
      powers: [{ ...read, reason: 'Reads what was said to find the lines that you marked.' }],
    },
    metrics: metrics(0),
  }
}

function logOf(lines: number): t.LogLine[] {
  const words = [
    ['debug', 'page 1 of 3'],
    ['info', 'read 131 turns of feature/checkout'],
    ['warn', 'one answer was longer than 20,000 characters and was cut'],
    ['info', hostile],
    ['stderr', 'panic: runtime error: index out of range [3] with length 3'],
    ['error', 'the call failed: wasm trap: unreachable'],
  ] as const
  return Array.from({ length: lines }, (_, n) => {
    const [level, text] = words[n % words.length] ?? words[0]
    return { time: ago(0.2 - n * 0.0004), level, text }
  })
}
