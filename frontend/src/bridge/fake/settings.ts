import type { Bridge } from '../bridge'
import { BridgeProblem } from '../problem'
import type * as t from '../types'
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
  | 'folders'
  | 'openFolder'
  | 'autostart'
  | 'setAutostart'
  | 'pauseService'
>

const defaults: t.Setting[] = [
  { key: 'review.enabled', value: false, from: 'default', kind: 'bool' },
  { key: 'extractors', value: ['dev.recollect.offline'], from: 'default', kind: 'list' },
  { key: 'schema', value: 'dev.recollect.notes', from: 'default', kind: 'text' },
  { key: 'policy', value: 'dev.recollect.ranked', from: 'default', kind: 'text' },
  {
    key: 'sources',
    value: ['claude-code', 'puffin'],
    from: 'default',
    kind: 'list',
    choices: ['claude-code', 'puffin'],
  },
  { key: 'inject.enabled', value: true, from: 'default', kind: 'bool' },
  { key: 'inject.targets', value: ['CLAUDE.md'], from: 'project', kind: 'list' },
  { key: 'inject.budget', value: 700, from: 'user', kind: 'int', min: 50, max: 20_000 },
  {
    key: 'model.provider',
    value: '',
    from: 'default',
    kind: 'choice',
    choices: ['', 'anthropic', 'openai', 'claude-cli'],
  },
  { key: 'model.name', value: '', from: 'default', kind: 'text' },
  { key: 'model.base_url', value: '', from: 'default', kind: 'text' },
  { key: 'budget.run_calls', value: 20, from: 'default', kind: 'int', min: -1, max: 1000 },
  { key: 'budget.day_calls', value: 40, from: 'default', kind: 'int', min: -1, max: 10_000 },
  { key: 'budget.day_tokens', value: 200_000, from: 'default', kind: 'int', min: -1 },
  { key: 'budget.day_dollars', value: 1, from: 'default', kind: 'number', min: -1 },
  { key: 'ui.theme', value: 'system', from: 'default', kind: 'choice', choices: ['system', 'light', 'dark'] },
  { key: 'ui.notify', value: true, from: 'default', kind: 'bool' },
]

export function settingCalls(w: World, status: (root: string) => t.Status): SettingCalls {
  const list = structuredClone(defaults)
  let key = false
  let autostart = false
  const keyStatus = (provider: string): t.KeyStatus => ({
    provider,
    place: key ? 'keyring' : '',
    looked: [
      { place: 'environment', name: 'RECOLLECT_API_KEY', has_key: false },
      { place: 'keyring', has_key: key },
    ],
  })
  return {
    async stats(root) {
      return stats(w, root)
    },
    async settings() {
      return structuredClone(list)
    },
    async setSetting(root, name, value, user) {
      const at = list.findIndex((s) => s.key === name)
      const found = list[at]
      const standard = defaults[at]
      if (!found || !standard) throw new BridgeProblem({ code: 'usage', message: `no setting ${name}` })
      if (found.kind === 'int' && value !== null && !Number.isInteger(value)) {
        throw new BridgeProblem({ code: 'usage', message: `${name} must be a whole number` })
      }
      list[at] =
        value === null ? structuredClone(standard) : { ...found, value, from: user ? 'user' : 'project' }
      if (name === 'review.enabled') w.review = value === true
      w.changed(root, 'settings')
      return structuredClone(list)
    },
    async keyStatus(provider) {
      return keyStatus(provider)
    },
    async setKey(provider) {
      key = true
      return keyStatus(provider)
    },
    async deleteKey(provider) {
      key = false
      return keyStatus(provider)
    },
    async testModel() {
      const provider = list.find((s) => s.key === 'model.provider')?.value
      if (!provider) {
        throw new BridgeProblem({
          code: 'no_model',
          message: 'no model is configured',
          hint: 'Choose a provider first.',
        })
      }
      return {
        provider: String(provider),
        model: 'small-1',
        input_tokens: 21,
        output_tokens: 4,
        took_ns: 740e6,
      }
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
