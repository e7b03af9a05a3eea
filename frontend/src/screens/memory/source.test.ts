import { describe, expect, it, vi } from 'vitest'
import { type Bridge, BridgeProblem, type SessionTurns, type SourceOf, type Turn } from '../../bridge'
import { testApp } from '../../test/app'
import { text } from '../../text'
import { placesOf } from './places'
import { PAGE, SessionModel } from './session.svelte'
import { SourceModel } from './source.svelte'

const time = '2026-11-28T10:00:00Z'

function turn(i: number): Turn {
  const messages = [
    { id: `u${i}`, role: 'user' as const, text: `question ${i}` },
    { id: `a${i}`, role: 'assistant' as const, text: `answer ${i}` },
  ]
  return { id: `t${i}`, session: 's', source: 'claude-code', branch: 'main', messages }
}

// A session of so many turns, and the calls for it.
function session(total: number) {
  const calls: [number, number][] = []
  const sessionTurns = async (
    _root: string,
    name: string,
    from: number,
    count: number,
  ): Promise<SessionTurns> => {
    calls.push([from, count])
    const turns = Array.from({ length: Math.max(0, Math.min(count, total - from)) }, (_, i) => turn(from + i))
    return { session: name, title: 'A session', source: 'claude-code', total, from, turns }
  }
  return { calls, bridge: { sessionTurns } as unknown as Bridge }
}

const origin = (records: string[]) => ({ extractor: 'x', source: 'claude-code', session: 's', records, time })

describe('placesOf', () => {
  it('asks the program for what is remembered', async () => {
    const sourceOf = vi.fn(async () => ({ item: {}, places: [] }) as unknown as SourceOf)
    await placesOf({ sourceOf } as unknown as Bridge, '/p', { content: '', branch: 'main', item: 'i1' })
    expect(sourceOf).toHaveBeenCalledWith('/p', 'main', 'i1')
  })

  it('finds cited messages of what is not remembered, with a neighbour on each side', async () => {
    const { bridge, calls } = session(350)
    const { places } = await placesOf(bridge, '/p', {
      content: '',
      branch: 'main',
      origins: [origin(['a120'])],
    })
    expect(places[0]?.turns.map((t) => t.id)).toEqual(['t119', 't120', 't121'])
    expect(places[0]?.cited).toEqual(['a120'])
    expect(places[0]?.title).toBe('A session')
    expect(calls).toHaveLength(2) // it stops when everything is found
  })

  it('looks at one turn more where the last of a page is cited', async () => {
    const { bridge } = session(350)
    const { places } = await placesOf(bridge, '/p', {
      content: '',
      branch: 'main',
      origins: [origin(['u99'])],
    })
    expect(places[0]?.turns.map((t) => t.id)).toEqual(['t98', 't99', 't100'])
  })

  it('says that a session is from the archive', async () => {
    const { bridge } = session(3)
    const real = bridge.sessionTurns
    bridge.sessionTurns = async (...asked) => ({ ...(await real(...asked)), archived: true })
    const { places } = await placesOf(bridge, '/p', {
      content: '',
      branch: 'main',
      origins: [origin(['u1'])],
    })
    expect(places[0]?.archived).toBe(true)
    const model = new SessionModel(bridge, '/p', 's', [], [])
    expect(model.archived).toBe(false)
    await model.start()
    expect(model.archived).toBe(true)
  })

  it('says in words what can not be shown', async () => {
    const { bridge } = session(3)
    const real = bridge.sessionTurns
    bridge.sessionTurns = async (root, name, from, count) => {
      if (name === 'gone') throw new BridgeProblem({ code: 'not_found', message: 'no such session' })
      return real(root, name, from, count)
    }
    const { places } = await placesOf(bridge, '/p', {
      content: '',
      branch: 'main',
      origins: [
        { extractor: 'person', time },
        { extractor: 'unknown', time },
        { ...origin(['u1']), session: 'gone' },
        origin(['nowhere']),
      ],
    })
    const t = text.memory.from
    expect(places.map((p) => p.missing)).toEqual([t.person, t.noRecord, t.goneSession, t.notCited])
  })
})

describe('SourceModel', () => {
  it('drops the answer for what was asked before', async () => {
    const answers = new Map<string, (v: SourceOf) => void>()
    const app = await testApp(
      {},
      { sourceOf: (_r, _b, id) => new Promise((resolve) => answers.set(id, resolve)) },
    )
    const source = new SourceModel(app, app.root)
    source.open({ content: 'one', branch: 'main', item: 'one' })
    source.open({ content: 'two', branch: 'main', item: 'two' })
    const answer = (id: string) => ({ item: { id }, places: [] }) as unknown as SourceOf
    answers.get('two')?.(answer('two'))
    answers.get('one')?.(answer('one'))
    await vi.waitFor(() => expect(source.found.value?.item?.id).toBe('two'))
    source.close()
    expect(source.found.value).toBeUndefined()
  })
})

describe('SessionModel', () => {
  it('loads a page once, when it is looked at', async () => {
    const { bridge, calls } = session(1000)
    const s = new SessionModel(bridge, '/p', 's', [], [])
    await s.start()
    expect(s.total).toBe(1000)
    expect(s.title).toBe('A session')
    await Promise.all([s.need(500, 520), s.need(510, 530)])
    expect(calls).toEqual([
      [0, PAGE],
      [500, PAGE],
    ])
    expect(s.turn(512)?.id).toBe('t512')
    expect(s.turn(900)).toBeUndefined()
    await s.need(5000, 5000)
    expect(calls).toHaveLength(2)
  })

  it('finds the cited places and jumps around them', async () => {
    const { bridge, calls } = session(1000)
    const s = new SessionModel(bridge, '/p', 's', ['a3', 'u3', 'u170'], ['t3', 't170'])
    await s.start()
    expect(s.places).toEqual([3, 170])
    expect(s.searching).toBe(false)
    expect(calls).toHaveLength(4) // it does not read on when all are found
    expect([s.jump(1), s.jump(1), s.jump(1), s.jump(-1)]).toEqual([3, 170, 3, 170])
  })

  it('asks on where an answer had fewer turns, and knows turns that are gone', async () => {
    const { bridge } = session(30)
    const real = bridge.sessionTurns
    bridge.sessionTurns = async (root, name, from, count) => {
      const answer = await real(root, name, from, Math.min(count, 8))
      return from >= 24 ? { ...answer, turns: [] } : answer
    }
    const s = new SessionModel(bridge, '/p', 's', ['u20'], ['t20'])
    await s.start()
    expect(s.places).toEqual([20])
    expect([s.turn(0)?.id, s.turn(23)?.id]).toEqual(['t0', 't23'])
    expect(s.turn(24)).toBeNull()
    expect(s.turn(29)).toBeNull()
  })

  it('tries a page again that failed', async () => {
    const { bridge } = session(10)
    const real = bridge.sessionTurns
    bridge.sessionTurns = () => Promise.reject(new BridgeProblem({ code: 'failed', message: 'gone' }))
    const s = new SessionModel(bridge, '/p', 's', ['u2'], ['t2'])
    await s.start()
    expect(s.problem?.message).toBe('gone')
    bridge.sessionTurns = real
    await s.retry()
    expect(s.problem).toBeUndefined()
    expect(s.places).toEqual([2])
  })

  it('reads nothing after its end', async () => {
    const { bridge, calls } = session(1000)
    const s = new SessionModel(bridge, '/p', 's', ['x'], ['nowhere'])
    const started = s.start()
    s.end()
    await started
    await s.need(400, 400)
    expect(calls).toHaveLength(1)
  })
})
