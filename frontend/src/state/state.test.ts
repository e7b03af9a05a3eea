import { render, screen, waitFor } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { describe, expect, it, vi } from 'vitest'
import { BridgeProblem, type Job } from '../bridge'
import { fakeBridge } from '../bridge/fake'
import { testApp } from '../test/app'
import Probe from '../test/Probe.svelte'
import { App, appContext } from './app.svelte'
import { Jobs, over } from './jobs.svelte'
import { Notices } from './notices.svelte'
import { Resource } from './resource.svelte'
import { Route } from './route.svelte'
import { Theme } from './theme.svelte'

function fast(options = '') {
  return fakeBridge(new URLSearchParams(`fast&${options}`))
}

describe('Resource', () => {
  it('drops an answer that a later call overtook', async () => {
    const answers: ((n: number) => void)[] = []
    const r = new Resource(() => new Promise<number>((resolve) => answers.push(resolve)))
    const first = r.reload()
    const second = r.reload()
    answers[1]?.(2)
    await second
    answers[0]?.(1)
    await first
    expect(r.value).toBe(2)
    expect(r.loading).toBe(false)
  })

  it('keeps the old value beside a problem, and forgets both when cleared', async () => {
    let fails = false
    const r = new Resource(async () => {
      if (fails) throw new BridgeProblem({ code: 'x', message: 'no' })
      return 1
    })
    await r.reload()
    fails = true
    await r.reload()
    expect(r.value).toBe(1)
    expect(r.problem?.code).toBe('x')
    r.clear()
    expect(r.value).toBeUndefined()
    expect(r.problem).toBeUndefined()
  })

  it('in a component follows what it read, and named changes', async () => {
    const app = await testApp()
    const loads: string[] = []
    const load = () => {
      const branch = app.branch ?? ''
      loads.push(branch)
      return Promise.resolve(`memory of ${branch}`)
    }
    render(Probe, { props: { load, on: ['memory'] }, context: appContext(app) })
    await screen.findByText('memory of main')
    app.go({ branch: 'fix/rounding' })
    await screen.findByText('memory of fix/rounding')
    expect(loads).toEqual(['main', 'fix/rounding'])
    await app.bridge.pinItem(
      app.root,
      'main',
      (await app.bridge.memory(app.root, 'main')).items[0]?.id ?? '',
      true,
    )
    await waitFor(() => expect(loads).toHaveLength(3))
    await app.bridge.setSetting(app.root, 'ui.notify', false, true)
    expect(loads).toHaveLength(3)
  })
})

describe('Jobs', () => {
  it('follow a job to its end, which is never overtaken', async () => {
    const bridge = fast()
    const jobs = new Jobs(bridge)
    const end = jobs.start()
    const root = (await bridge.projects())[0]?.root ?? ''
    const id = await bridge.memorize(root, { branches: ['feature/checkout'] })
    jobs.asked(id, ['feature/checkout'])
    await jobs.reload()
    expect(jobs.memorizing(root, 'feature/checkout')?.id).toBe(id)
    expect(jobs.memorizing(root, 'main')).toBeUndefined()
    const job = await jobs.finished(id)
    expect(job.state).toBe('done')
    expect(job.reports?.[0]?.outcome).toBe('memorized')
    expect(jobs.running).toHaveLength(0)
    expect((await jobs.finished(id)).id).toBe(id)
    await jobs.dismiss(id)
    expect(jobs.list).toHaveLength(0)
    expect(await bridge.jobs()).toHaveLength(0)
    end()
  })

  it('take no progress for news after the end', () => {
    const handlers: Record<string, (j: Job) => void> = {}
    const bridge = {
      ...fast(),
      on: (e: string, h: never) => {
        handlers[e] = h
        return () => {}
      },
    } as never
    const jobs = new Jobs(bridge)
    jobs.start()
    const job = { id: 1, state: 'running', root: '/p', kind: 'memorize' } as Job
    handlers.job?.(job)
    handlers.ended?.({ ...job, state: 'cancelled' })
    handlers.job?.(job)
    expect(jobs.get(1)?.state).toBe('cancelled')
    expect(over({ ...job, state: 'failed' })).toBe(true)
  })

  it('of a service that was started anew are not those of before', async () => {
    let answer: Partial<Job>[] = []
    const jobs = new Jobs(Object.assign(fast(), { jobs: async () => answer as Job[] }))
    answer = [{ id: -1, by: 'service', state: 'done' }]
    await jobs.reload('service')
    answer = [{ id: -1, by: 'service', state: 'running' }]
    await jobs.reload()
    expect(jobs.running).toHaveLength(0)
    await jobs.reload('service')
    expect(jobs.running).toHaveLength(1)
    answer = []
    await jobs.reload('service')
    expect(jobs.list).toHaveLength(0)
  })

  it('can be cancelled', async () => {
    const app = new App(fast())
    const end = app.start()
    await waitFor(() => expect(app.branches.value?.length).toBeGreaterThan(0))
    const id = (await app.memorize(app.root, [])) ?? 0
    await app.cancel(id)
    expect((await app.jobs.finished(id)).state).toBe('cancelled')
    await waitFor(() =>
      expect(app.notices.list.map((n) => n.text)).toContain(
        'Memorizing was cancelled. Nothing is half done.',
      ),
    )
    end()
  })
})

describe('App', () => {
  it('begins with the project worked on last and its current branch', async () => {
    const app = new App(fast())
    const end = app.start()
    await waitFor(() => expect(app.branch).toBe('main'))
    expect(app.project?.name).toBe('corner-shop')
    app.go({ root: app.projects.value?.[1]?.root })
    expect(app.branch).toBeNull()
    await waitFor(() => expect(app.branch).toBe('main'))
    end()
  })

  it('begins with what the program was started for, before the first run', async () => {
    const bridge = fakeBridge(new URLSearchParams('fast&first'))
    const root = (await bridge.projects())[1]?.root ?? ''
    const app = new App(Object.assign(bridge, { asked: async () => ({ screen: 'settings', root }) }))
    const end = app.start()
    await waitFor(() => expect(app.branch).toBe('main'))
    expect([app.root, app.route.screen, app.route.firstRun]).toEqual([root, 'settings', false])
    end()
  })

  it('remembers its place, unless it is gone', async () => {
    const first = new App(fast())
    const end = first.start()
    await waitFor(() => expect(first.branch).toBe('main'))
    first.go({ screen: 'dashboard', branch: 'fix/rounding' })
    end()
    const again = new Route()
    expect([again.screen, again.branch]).toEqual(['dashboard', 'fix/rounding'])
    again.go({ root: '/gone' })
    const app = new App(fast())
    const stop = app.start()
    await waitFor(() => expect(app.project?.name).toBe('corner-shop'))
    stop()
  })

  it('does without a place that is damaged', () => {
    for (const text of ['{', 'null', '{"screen":"nowhere","root":5,"branch":{}}']) {
      localStorage.setItem('recollect.place', text)
      const route = new Route()
      expect([route.screen, route.root, route.branch]).toEqual(['projects', '', null])
    }
  })

  it('tells what went wrong, and goes on', async () => {
    const app = new App(fast('fail=memorize,status'))
    expect(await app.memorize('/x', [])).toBeUndefined()
    expect(app.notices.list[0]?.problem?.code).toBe('failed')
    await app.status.reload()
    expect(app.status.problem?.message).toContain('status')
  })

  it('shows a failed run as a problem', async () => {
    const app = await testApp({ outcome: 'failed' })
    const end = app.start()
    const id = (await app.memorize(app.root, ['main'])) ?? 0
    await app.jobs.finished(id)
    await waitFor(() => expect(app.notices.list.at(-1)?.problem?.hint).toContain('Wait a moment'))
    end()
  })

  it('shows a maintenance of which a part failed as a problem', async () => {
    const bridge = fast()
    const listeners: ((job: Job) => void)[] = []
    const on = bridge.on
    bridge.on = (event, handle) => {
      if (event === 'ended') listeners.push(handle as (job: Job) => void)
      return on(event, handle)
    }
    const app = new App(bridge)
    const end = app.start()
    const part = { kind: 'nightly', name: 'tidy', outcome: 'failed', words: 'the disk is full' }
    const job = { id: 99, by: 'window', root: '/x', project: 'x', kind: 'maintain', state: 'done' }
    for (const tell of listeners) {
      tell({ ...job, maintained: { outcome: 'partly', parts: [part] } } as unknown as Job)
    }
    await waitFor(() => expect(app.notices.list.at(-1)?.problem?.code).toBe('failed'))
    expect(app.notices.list.at(-1)?.text).toContain('the disk is full')
    end()
  })

  it('follows a theme that was set elsewhere, and saves its own', async () => {
    const app = new App(fast())
    const end = app.start()
    await app.bridge.setSetting('', 'ui.theme', 'dark', true)
    await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'))
    app.theme.choose('light')
    await waitFor(async () => {
      const settings = await app.bridge.settings('')
      expect(settings.find((s) => s.key === 'ui.theme')?.value).toBe('light')
    })
    end()
  })

  it('comes to what another process shows', async () => {
    const bridge = fast()
    let show: (e: { screen?: string; root?: string }) => void = () => {}
    const on = bridge.on
    bridge.on = ((e: string, h: never) => {
      if (e === 'show') show = h
      return on(e as never, h)
    }) as never
    const app = new App(bridge)
    const end = app.start()
    await waitFor(() => expect(app.branch).toBe('main'))
    show({ screen: 'review', root: '/home/sam/code/todo-garden' })
    expect([app.route.screen, app.root]).toEqual(['review', '/home/sam/code/todo-garden'])
    show({ screen: 'javascript:' })
    expect(app.route.screen).toBe('review')
    end()
  })
})

describe('Notices', () => {
  it('leave by themselves, except problems and what is looked at', () => {
    vi.useFakeTimers()
    const n = new Notices()
    n.say('one')
    n.say('two')
    n.tell(new BridgeProblem({ code: 'x', message: 'three' }))
    n.hold(n.list[0]?.id ?? 0)
    vi.advanceTimersByTime(20_000)
    expect(n.list.map((x) => x.text)).toEqual(['one', 'three'])
    n.release(n.list[0]?.id ?? 0)
    n.release(n.list[1]?.id ?? 0)
    vi.advanceTimersByTime(20_000)
    expect(n.list.map((x) => x.text)).toEqual(['three'])
    for (let i = 0; i < 9; i++) n.say(String(i))
    expect(n.list).toHaveLength(4)
    vi.useRealTimers()
  })

  it('say calmly what was cancelled', () => {
    const n = new Notices()
    n.tell(new BridgeProblem({ code: 'cancelled', message: 'cancelled' }))
    expect(n.list[0]?.problem).toBeUndefined()
  })
})

describe('Theme', () => {
  it('sets the page and remembers', () => {
    const theme = new Theme()
    theme.choose('dark')
    flushSync()
    expect(document.documentElement.dataset.theme).toBe('dark')
    expect(new Theme().dark).toBe(true)
    theme.choose('system')
    expect(document.documentElement.dataset.theme).toBe('light')
  })
})
