import type { Bridge } from '../bridge'
import { BridgeProblem } from '../problem'
import type * as t from '../types'
import list from './builtin.json'
import { LOCAL, modelPrices, modelWays } from './model'
import { sectionIds, sections } from './words'
import { ago, type World } from './world'

type SettingCalls = Pick<
  Bridge,
  | 'stats'
  | 'settings'
  | 'setSetting'
  | 'keyStatus'
  | 'setKey'
  | 'deleteKey'
  | 'testModel'
  | 'modelWays'
  | 'modelPrices'
  | 'chooseModel'
  | 'folders'
  | 'openFolder'
  | 'autostart'
  | 'setAutostart'
  | 'pauseService'
>

// As the program has them without any file; a test of the program compares them.
// Which plug-ins there are to choose from it knows only when it runs.
const plugins: Record<string, Partial<t.Setting>> = {
  extractors: { choices: ['dev.recollect.model-notes', 'dev.recollect.offline'] },
  schema: { kind: 'choice', choices: ['dev.recollect.notes'] },
  policy: { kind: 'choice', choices: ['dev.recollect.ranked'] },
}
const builtIn = list.map((s) => ({ ...s, from: 'default', ...plugins[s.key] }) as t.Setting)

// What a newer program might have besides.
const later: t.Setting[] = [
  { key: 'later.on', value: false, from: 'default', kind: 'bool', doc: 'Whether something else is done.' },
  { key: 'later.much', value: 3, from: 'default', kind: 'int', min: 1, max: 9, doc: 'How much of it.' },
]

type Layer = Map<string, unknown>

export function settingCalls(w: World, status: (root: string) => t.Status): SettingCalls {
  const all = w.options.has('later') ? [...builtIn, ...later] : builtIn
  const person: Layer = new Map([['inject.budget', 700]])
  const projects = new Map<string, Layer>()
  const own = (root: string): Layer => {
    const layer = projects.get(root) ?? new Map()
    projects.set(root, layer)
    return layer
  }
  if (w.projects[0]) own(w.projects[0].root).set('inject.targets', ['CLAUDE.md', 'AGENTS.md'])
  const settings = (root: string): t.Setting[] =>
    all.map((s) => {
      const mine: t.Setting = person.has(s.key)
        ? { ...s, value: person.get(s.key), from: 'user' }
        : structuredClone(s)
      if (!root || !own(root).has(s.key) || s.project === 'never counts') return mine
      const value = own(root).get(s.key)
      return s.project === 'waits for your yes' ? { ...mine, asked: value } : { ...s, value, from: 'project' }
    })
  const keys = new Set<string>()
  let autostart = false
  const keyStatus = (provider: string): t.KeyStatus => {
    if (!['anthropic', 'openai'].includes(provider)) {
      throw new BridgeProblem({ code: 'no_model', message: 'no provider of models is named' })
    }
    const has_key = keys.has(provider)
    return {
      provider,
      for: `https://api.${provider}.com`,
      place: has_key ? 'keyring' : '',
      looked: [
        { place: 'environment', name: `RECOLLECT_${provider.toUpperCase()}_API_KEY`, has_key: false },
        w.options.has('nokeyring')
          ? {
              place: 'keyring',
              has_key: false,
              problem: 'there is no session bus, so no keyring',
              fix: 'log in to the desktop',
            }
          : { place: 'keyring', has_key, ...(has_key && { for: `https://api.${provider}.com` }) },
        { place: 'file', name: '/home/sam/.config/recollect/keys.json', has_key: false },
      ],
    }
  }
  return {
    async stats(root) {
      return stats(w, root)
    },
    async settings(root) {
      return settings(root)
    },
    async setSetting(root, name, value, user) {
      const found = all.find((s) => s.key === name)
      if (!found) throw new BridgeProblem({ code: 'settings', message: `"${name}": no such setting` })
      if (!user && !root)
        throw new BridgeProblem({ code: 'failed', message: 'a setting of a project needs a project' })
      const layer = user ? person : own(root)
      const wrong = value === null ? undefined : misfit(found, value)
      if (wrong) {
        throw new BridgeProblem({
          code: 'settings',
          message: `${name} can't be ${JSON.stringify(value)}: want ${wrong}`,
        })
      }
      if (value === null) layer.delete(name)
      else layer.set(name, value)
      if (name === 'review.enabled') w.review = settings(root).find((s) => s.key === name)?.value === true
      w.changed(user ? '' : root, 'settings')
      return settings(root)
    },
    async keyStatus(provider) {
      return keyStatus(provider)
    },
    async setKey(provider, key) {
      keyStatus(provider)
      if (/\s/.test(key.trim())) {
        throw new BridgeProblem({
          code: 'key',
          message: 'the key has a space or a line break in it',
          hint: 'copy the key anew from the vendor’s page',
        })
      }
      keys.add(provider)
      w.changed('', 'settings')
      return keyStatus(provider)
    },
    async deleteKey(provider) {
      keys.delete(provider)
      w.changed('', 'settings')
      return keyStatus(provider)
    },
    async testModel(root) {
      const provider = String(settings(root).find((s) => s.key === 'model.provider')?.value)
      if (provider === 'none') {
        throw new BridgeProblem({ code: 'no_model', message: 'no provider of models is named' })
      }
      if (provider !== 'claude-cli' && !keys.has(provider)) {
        throw new BridgeProblem({
          code: 'key',
          message: `there is no key for ${provider}`,
          hint: `store one in the settings, or set RECOLLECT_${provider.toUpperCase()}_API_KEY`,
        })
      }
      return {
        provider,
        model: 'small-1',
        input_tokens: 21,
        output_tokens: 4,
        took_ns: 740e6,
      }
    },
    async modelWays(root) {
      const now = (key: string) => settings(root).find((s) => s.key === key)
      return modelWays(w, root, now, keys)
    },
    async modelPrices(provider, model) {
      return modelPrices(provider, model)
    },
    async chooseModel(_root, way, model, address) {
      if (way === 'local' && !address) address = LOCAL
      const provider = way === 'local' ? 'openai' : way
      const extractors = [way === 'none' ? 'dev.recollect.offline' : 'dev.recollect.model-notes']
      const layer: [string, unknown][] = [
        ['model.provider', provider],
        ['model.name', way === 'local' ? model || 'small:4b' : model],
        ['model.base_url', way === 'local' ? address : ''],
        ['extractors', extractors],
      ]
      for (const [key, value] of layer) person.set(key, value)
      w.changed('', 'settings')
      return { way, provider, model, address, extractors }
    },
    async folders() {
      return {
        config: '/home/sam/.config/recollect',
        data: '/home/sam/.local/share/recollect',
        cache: '/home/sam/.cache/recollect',
      }
    },
    async openFolder() {},
    async autostart() {
      if (w.options.has('noautostart')) {
        return { supported: false, on: false, why: 'this system has no place for what starts at login' }
      }
      return { supported: true, on: autostart }
    },
    async setAutostart(on) {
      autostart = on
      return { supported: true, on }
    },
    async pauseService(paused) {
      w.servicePaused = paused
      w.changed('', 'service')
      return status('')
    },
  }
}

function misfit(s: t.Setting, value: unknown): string | undefined {
  if (s.kind === 'bool' && typeof value !== 'boolean') return 'true or false'
  if (s.kind === 'choice' && !s.choices?.includes(String(value))) return `one of ${s.choices?.join(', ')}`
  if (s.kind === 'list' && (!Array.isArray(value) || !value.length)) return 'a list, at least one'
  if (
    /^maintenance\.\w+ly$/.test(s.key) &&
    value !== '' &&
    !/^([\w*/,-]+ ){4}[\w*/,-]+$/.test(String(value))
  ) {
    return 'a cron expression (minute, hour, day, month, day of the week), or an empty text for never'
  }
  if (s.kind === 'int' || s.kind === 'number') {
    const n = Number(value)
    const fits = n >= (s.min ?? n) && n <= (s.max ?? n) && (s.kind === 'number' || Number.isInteger(n))
    if (!fits) return `a number from ${s.min} to ${s.max}`
  }
  return undefined
}

function stats(w: World, root: string): t.Stats {
  const branches = w.branches.get(root) ?? []
  const items = branches.flatMap((b) => w.bank(root, b.name).items)
  const sum = (f: (b: t.Branch) => number) => branches.reduce((n, b) => n + f(b), 0)
  const day = (ago_: number) => ago(ago_).slice(0, 10)
  const confidence = Array.from({ length: 10 }, () => 0)
  for (const i of items) {
    const bucket = Math.min(9, Math.floor(i.confidence * 10))
    confidence[bucket] = (confidence[bucket] ?? 0) + 1
  }
  return {
    items: items.length,
    sessions: sum((b) => b.sessions),
    turns: sum((b) => b.turns),
    turns_read: sum((b) => b.turns - b.new_turns),
    branches: branches.length,
    last_memorized: items.length ? ago(0.3) : undefined,
    next_maintenance: ago(-0.6),
    growth: Array.from({ length: 30 }, (_, n) => ({
      day: day((29 - n) * 2),
      sections: Object.fromEntries(
        sectionIds.map((s, k) => {
          const all = items.filter((i) => i.section === s).length
          return [s, Math.round((all * Math.min(29, n + k)) / 29)]
        }),
      ),
    })).filter((_, n) => items.length && n % 4 !== 3),
    sections: sections.map(({ id, heading }) => ({
      id,
      heading,
      items: items.filter((i) => i.section === id).length,
    })),
    confidence,
    spend: items.length
      ? Array.from({ length: 14 }, (_, n) => ({
          day: day(13 - n),
          calls: (n * 5) % 17,
          tokens: ((n * 5) % 17) * 4100,
          money: ((n * 5) % 17) * 21_000,
          unpriced: n === 3 ? 2 : 0,
        })).filter((s) => s.calls > 0)
      : [],
    cap: { calls: 40, tokens: 200_000, money: 1_000_000 },
    left_today: '26 calls, 146,700 tokens, $0.73',
  }
}
