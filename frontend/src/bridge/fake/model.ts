import type * as t from '../types'
import type { World } from './world'

// LOCAL is where the made-up machine has a server of models, unless it has none.
export const LOCAL = 'http://127.0.0.1:11434/v1'

const prices: Record<string, [string, number, number]> = {
  'claude-cli': ['haiku', 1, 5],
  anthropic: ['claude-haiku-4-5', 1, 5],
  openai: ['gpt-4.1-mini', 0.4, 1.6],
}

const listed: Record<string, t.ModelPrice[]> = {
  'claude-cli': [
    { name: 'opus', input: 5, output: 25 },
    { name: 'haiku', input: 1, output: 5 },
  ],
  anthropic: [
    { name: 'claude-opus-4-7', input: 5, output: 25 },
    { name: 'claude-haiku-4-5', input: 1, output: 5 },
  ],
  openai: [
    { name: 'gpt-5', input: 1.25, output: 10 },
    { name: 'gpt-5-mini', input: 0.25, output: 2 },
    { name: 'gpt-4.1-mini', input: 0.4, output: 1.6 },
  ],
}

// modelPrices are the models of a provider with what they cost.
export function modelPrices(provider: string, model: string): t.ModelPrices {
  const models = listed[provider] ?? []
  const asked = prices[provider]?.[0]
  const known = models.find((m) => m.name === (model || asked))
  return {
    date: '2026-11-28',
    default: asked,
    models,
    ...(known && { price: { input: known.input, output: known.output } }),
  }
}

// modelWays are the ways to a model with what each would cost: a request a session.
// With the option nomodel nothing is on the machine.
export function modelWays(
  w: World,
  root: string,
  now: (key: string) => t.Setting | undefined,
  keys: Set<string>,
): t.ModelWays {
  const bare = w.options.has('nomodel')
  const sessions = (w.branches.get(root) ?? []).reduce((n, b) => n + b.sessions, 0)
  const cost = {
    sessions,
    requests: sessions,
    input_tokens: sessions * 5200,
    output_tokens: sessions * 430,
    priced: true,
    subscription: false,
    money: 0,
    days: sessions ? 1 : 0,
  }
  const own = (name: 'claude-cli' | 'anthropic' | 'openai'): t.ModelWay => {
    const [usual, input, output] = prices[name] ?? ['', 0, 0]
    const set = now('model.provider')?.value === name ? String(now('model.name')?.value ?? '') : ''
    const model = set || usual
    const money = Math.round(cost.input_tokens * input + cost.output_tokens * output)
    const ready = name === 'claude-cli' ? !bare : keys.has(name)
    return {
      ...cost,
      name,
      provider: name,
      model,
      ready,
      ...(ready ? { found: 'It is here.' } : { missing: 'It is not here.' }),
      money,
      subscription: name === 'claude-cli',
      days: Math.ceil(money / 1e6),
    }
  }
  const address = String(now('model.base_url')?.value ?? '')
  const models = bare ? [] : ['small:4b', 'large:70b']
  const provider = String(now('model.provider')?.value)
  const asks = ((now('extractors')?.value ?? []) as string[]).includes('dev.recollect.model-notes')
  return {
    current: !asks || provider === 'none' ? 'none' : address.startsWith('http://127.') ? 'local' : provider,
    chosen: now('model.provider')?.from !== 'default' || now('extractors')?.from !== 'default',
    prices: '2026-11-28',
    ways: [
      own('claude-cli'),
      own('anthropic'),
      own('openai'),
      {
        ...cost,
        name: 'local',
        provider: 'openai',
        ready: !bare || address !== '',
        address: address || (bare ? undefined : LOCAL),
        model: String(now('model.name')?.value || models[0] || ''),
        models,
      },
      {
        ...cost,
        name: 'none',
        provider: 'none',
        ready: true,
        requests: 0,
        input_tokens: 0,
        output_tokens: 0,
        days: 0,
      },
    ],
  }
}
