import { screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../bridge'
import { renderIn, testApp } from '../../test/app'
import { violations } from '../../test/axe'
import { text } from '../../text'
import Dashboard from './Dashboard.svelte'

const t = text.dashboard

async function next(options: Record<string, string>, paused = false) {
  const app = await testApp(options)
  // jsdom draws no charts, and there are none before anything is remembered.
  const stats = await app.bridge.stats(app.root)
  app.bridge.stats = async () => ({ ...stats, items: 0, spend: [] })
  if (paused) await app.bridge.pauseService(true)
  await app.status.reload()
  renderIn(app, Dashboard)
  const figure = (await screen.findByText(t.next)).closest('dl') as HTMLElement
  return { app, figure }
}

describe('the next maintenance', () => {
  it('has a time while the service runs', async () => {
    const { figure } = await next({})
    expect(figure.querySelector('time')).not.toBeNull()
    expect(screen.queryByRole('button', { name: t.toService })).toBeNull()
  })

  it('comes when the service runs, which is in the settings', async () => {
    const { app, figure } = await next({ noservice: '' })
    expect(figure).toHaveTextContent(t.whenService)
    expect(figure.querySelector('time')).toBeNull()
    expect(await violations()).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: t.toService }))
    expect(app.route.screen).toBe('settings')
  })

  it('comes when the paused service goes on', async () => {
    const { figure } = await next({}, true)
    expect(figure).toHaveTextContent(t.whenResumed)
  })
})

describe('what came of a maintenance', () => {
  const part = (outcome: string, words: string) => ({ kind: 'full', name: 'x', outcome, words })
  const job = (over: Partial<Job>): Job => ({
    id: 1,
    by: 'window',
    root: '/p',
    project: 'shop',
    kind: 'maintain',
    state: 'done',
    number: 0,
    branches: 0,
    done: 0,
    total: 0,
    ...over,
  })
  it.each<[string, Partial<Job>]>([
    ['Maintaining shop was cancelled. Nothing is half done.', { state: 'cancelled' }],
    [
      'Maintaining shop failed: the disk is full',
      { state: 'failed', problem: { code: 'x', message: 'the disk is full' } },
    ],
    ['Maintaining shop: done.', {}],
    [
      'Maintaining shop: there was nothing to do.',
      { maintained: { outcome: 'nothing', parts: [part('nothing', '0 old items packed')] } },
    ],
    [
      'Maintaining shop: 2 duplicates merged. 3 memories checked.',
      {
        maintained: {
          outcome: 'done',
          parts: [
            part('done', '2 duplicates merged'),
            part('nothing', 'x'),
            part('done', '3 memories checked'),
          ],
        },
      },
    ],
    [
      'Maintaining shop was put off: another process is at it.',
      { maintained: { outcome: 'put_off', parts: [part('put_off', 'put off: another process is at it')] } },
    ],
    [
      'Maintaining shop: memorized 1; 1 branch failed: no space. Put off: busy. Failed: no space.',
      {
        maintained: {
          outcome: 'failed',
          parts: [
            part('partly', 'memorized 1; 1 branch failed: no space'),
            part('put_off', 'busy'),
            part('failed', 'no space'),
          ],
        },
      },
    ],
    [
      'Maintaining shop failed: no space.',
      { maintained: { outcome: 'failed', parts: [part('failed', 'no space'), part('failed', 'no space')] } },
    ],
  ])('%s', (words, over) => {
    expect(text.status.ended(job(over))).toBe(words)
  })

  it('is told step by step', () => {
    const running = job({ state: 'running', step: 'tidy', branch: 'main', number: 2, branches: 3 })
    expect(text.status.running(running)).toBe(
      'Maintaining main (2 of 3): bringing together what is said twice',
    )
  })
})
