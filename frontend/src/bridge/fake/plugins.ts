import type { Bridge } from '../bridge'
import { BridgeProblem } from '../problem'
import type * as t from '../types'
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
  | 'removePlugin'
  | 'pluginLog'
>

const read = {
  capability: 'history:read',
  words: 'Reads the conversations of a branch, without secrets.',
  grave: false,
}
const ask = {
  capability: 'llm:call',
  words: 'Sends parts of conversations to your language model, which may cost money.',
  grave: true,
}

function metrics(calls: number): t.Metrics {
  return {
    since: ago(30),
    calls,
    faults: calls > 90 ? 2 : 0,
    guest_ns: calls * 38e6,
    host_ns: calls * 9e6,
    host_calls: calls * 12,
    model_calls: 0,
    fuel: calls * 4_000_000,
    memory_bytes: 7_340_032,
    load_ns: 61e6,
  }
}

function samples(): t.Plugin[] {
  const base = {
    version: '1.0.0',
    license: 'Apache-2.0',
    approved: true,
    disabled: false,
    built_in: true,
    limits: { memory_bytes: 67_108_864, wall_ns: 30e9, fuel: 2e9, host_calls: 4096, model_calls: 0 },
  }
  return [
    {
      ...base,
      id: 'dev.recollect.offline',
      name: 'Offline',
      description: 'Finds what is worth remembering without a language model.',
      roles: ['extractor'],
      powers: [read],
      used_as: ['extractors'],
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          min_confidence: {
            type: 'number',
            title: 'Least confidence',
            description: 'Less certain items are not kept.',
            minimum: 0,
            maximum: 1,
            default: 0.6,
          },
          max_items: { type: 'integer', title: 'Items of a run', minimum: 1, maximum: 500, default: 50 },
          remember_words: {
            type: 'array',
            title: 'Words that ask to remember',
            items: { type: 'string' },
            maxItems: 20,
            default: ['remember', 'always', 'never'],
          },
        },
      },
      config: { min_confidence: 0.6 },
      metrics: metrics(128),
    },
    {
      ...base,
      id: 'dev.recollect.model-notes',
      name: 'Model notes',
      description: 'Finds what is worth remembering with the help of your language model.',
      roles: ['extractor'],
      powers: [read, ask],
      used_as: [],
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          model: {
            type: 'string',
            title: 'Model',
            description: 'Empty: the one that is configured.',
            maxLength: 200,
            default: '',
          },
          evolve: { type: 'boolean', title: 'Let the model bring new items into the memory', default: true },
          style: { type: 'string', title: 'Style', enum: ['short', 'full'], default: 'short' },
        },
      },
      config: {},
      metrics: metrics(6),
    },
    {
      ...base,
      id: 'dev.recollect.notes',
      name: 'Notes',
      description: 'Facts, architectural decisions, conventions and bug patterns.',
      roles: ['schema'],
      powers: [],
      used_as: ['schema'],
      metrics: metrics(64),
    },
    {
      ...base,
      id: 'dev.recollect.ranked',
      name: 'Ranked',
      description: 'Shows conventions first, then decisions and bug patterns.',
      roles: ['policy'],
      powers: [],
      used_as: ['policy'],
      metrics: metrics(41),
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
      powers: [],
      pending: {
        version: '0.3.1',
        sha256: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
        powers: [
          read,
          ask,
          { capability: 'storage', words: 'Keeps up to 1 MB of notes of its own.', grave: false },
        ],
        more: ['llm:call'],
      },
      used_as: [],
      metrics: metrics(0),
    },
  ]
}

// pluginCalls gives the calls, and what an approval does in the end.
export function pluginCalls(w: World): {
  calls: PluginCalls
  approve: (root: string, id: string) => void
  list: () => t.Plugin[]
} {
  let list = samples()
  const find = (id: string): t.Plugin => {
    const found = list.find((p) => p.id === id)
    if (!found) throw new BridgeProblem({ code: 'no_plugin', message: `no plug-in ${id}` })
    return found
  }
  const change = (root: string, id: string, patch: Partial<t.Plugin>): t.Plugin => {
    Object.assign(find(id), patch)
    w.changed(root, 'plugins')
    return structuredClone(find(id))
  }
  const calls: PluginCalls = {
    async plugins() {
      return { plugins: structuredClone(list) }
    },
    async addPlugin() {
      return null
    },
    async enablePlugin(root, id, enabled) {
      return change(root, id, { disabled: !enabled })
    },
    async usePlugin(root, id, role, use) {
      const key = role === 'extractor' ? 'extractors' : role
      const others = list.filter((p) => p.id !== id && p.used_as.includes(key))
      if (!use && !others.length) {
        throw new BridgeProblem({
          code: 'usage',
          message: `the project needs one ${role}`,
          hint: 'Use another one first.',
        })
      }
      if (use && key !== 'extractors') for (const o of others) o.used_as = o.used_as.filter((k) => k !== key)
      const rest = find(id).used_as.filter((k) => k !== key)
      return change(root, id, { used_as: use ? [...rest, key] : rest })
    },
    async configurePlugin(root, id, config) {
      return change(root, id, { config })
    },
    async resumePlugin(root, id) {
      return change(root, id, { paused: undefined })
    },
    async removePlugin(root, id) {
      find(id)
      list = list.filter((p) => p.id !== id)
      w.changed(root, 'plugins')
    },
    async pluginLog(_root, id) {
      find(id)
      return [
        { time: ago(0.2), level: 'info', text: 'read 131 turns of feature/checkout' },
        { time: ago(0.1), level: 'warn', text: 'one answer was longer than 20,000 characters and was cut' },
        { time: ago(0.1), level: 'info', text: hostile },
      ]
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
