import { money, plural } from '../../format/number'

interface Cost {
  name: string
  sessions: number
  requests: number
  input_tokens: number
  output_tokens: number
  sampled?: boolean
  money: number
  priced: boolean
  subscription: boolean
  days: number
}

// In US dollars for a million tokens.
interface Price {
  input: number
  output: number
}

const dollars = (n: number) => money(n * 1e6)

// Choosing who finds what is worth remembering.
export const model = {
  legend: 'Who finds what is worth remembering',
  intro:
    'A model finds more than Recollect does by itself. What each would cost for the history here is reckoned on this machine, before anything is sent.',
  ways: {
    'claude-cli': {
      name: 'Your Claude subscription, through claude',
      text: 'The claude program on this machine answers, with its own login. No key is needed.',
    },
    anthropic: {
      name: 'Anthropic, with an API key',
      text: 'What was said here goes to their service, without secrets.',
    },
    openai: {
      name: 'OpenAI, with an API key',
      text: 'What was said here goes to their service, without secrets.',
    },
    local: {
      name: 'A model on this machine',
      text: 'Ollama, LM Studio or another server. Nothing leaves this machine.',
    },
    none: { name: 'None: offline', text: 'It always works and finds less. Nothing leaves this machine.' },
  } as Record<string, { name: string; text: string }>,
  reckoning: 'Reckoning what it would cost…',
  free: 'Costs nothing.',
  nothing: 'There is nothing here that it has not read.',
  cost: (c: Cost, prices: string): string => {
    const asked = `${plural(c.sessions, 'session', 'sessions')}, ${c.sampled ? 'about ' : ''}${plural(c.requests, 'request', 'requests')}, ${plural(c.input_tokens, 'token', 'tokens')} read and ${plural(c.output_tokens, 'token', 'tokens')} written`
    const list = `${c.priced ? '' : 'at most '}${money(c.money)} by the price list of ${prices}`
    if (c.name === 'local') return `${asked}: $0.`
    if (c.subscription) return `${asked}: included in your subscription. Your budget counts ${list}.`
    return `${asked}: ${list}.`
  },
  days: (n: number) =>
    `Your daily budget spreads that over ${plural(n, 'day', 'days')}; what is left is read offline until then.`,
  over: 'Your budget allows nothing of it: it is read offline.',
  noClaude: 'The claude program is not on this machine. Install Claude Code and log in once.',
  noKey: 'It needs a key.',
  noServer: 'No server with a model answers. Start one, or say where it is.',
  model: 'Model',
  price: (p: Price) => `${dollars(p.input)} in, ${dollars(p.output)} out`,
  costs: (p: Price, date: string) =>
    `${dollars(p.input)} for a million tokens read and ${dollars(p.output)} for a million written, by the price list of ${date}.`,
  noPrice: (date: string) =>
    `The price list of ${date} does not know this model. Your budget counts the dearest of its vendor.`,
  byDefault: (name: string) => `Nothing is chosen, so ${name} is asked.`,
  included: 'It is included in your subscription.',
  modelHint: 'As the server calls it, such as qwen3:8b.',
  address: 'Address of the server',
  addressHint: 'On this machine, such as http://127.0.0.1:11434/v1.',
  use: 'Use this model',
  chosen: (name: string) => `${name}: saved for all projects`,
  aside: 'This project says otherwise in its own settings, which hold here.',
}
