import { describe, expect, it, vi } from 'vitest'
import type { Bridge, Version } from '../../bridge'
import { NOW, TimelineModel } from './timeline.svelte'

function start(counts = [5, 3, 3, 7]) {
  const versions: Version[] = counts.map((items, i) => ({
    id: `v${counts.length - i}`,
    saved: `2026-11-2${8 - i}T10:00:00Z`,
    items,
    current: i === 0,
  }))
  const versionText = vi.fn(async (_r: string, _b: string, id: string) => `text of ${id}`)
  const bridge = { versions: async () => [...versions], versionText } as unknown as Bridge
  return { versions, versionText, timeline: new TimelineModel(bridge, '/p', 'main') }
}

describe('TimelineModel', () => {
  it('compares the newest with the one before it, and counts against the one before', async () => {
    const { timeline } = start()
    await timeline.reload()
    expect(timeline.pair.value).toMatchObject({ before: 'text of v3', after: 'text of v4' })
    expect([0, 1, 2, 3].map((i) => timeline.change(i))).toEqual([2, 0, -4, undefined])
  })

  it('never compares a version with itself or the other way round', async () => {
    const { timeline } = start()
    await timeline.reload()
    timeline.chooseOlder('v1')
    expect([timeline.older, timeline.newer]).toEqual(['v1', 'v4'])
    timeline.chooseNewer('v2')
    expect([timeline.older, timeline.newer]).toEqual(['v1', 'v2'])
    timeline.chooseOlder('v3')
    expect([timeline.older, timeline.newer]).toEqual(['v3', 'v4'])
    timeline.chooseNewer('v3')
    expect([timeline.older, timeline.newer]).toEqual(['v2', 'v3'])
    await vi.waitFor(() =>
      expect(timeline.pair.value).toMatchObject({ before: 'text of v2', after: 'text of v3' }),
    )
  })

  it('loads a kept text once, and that of now again', async () => {
    const { timeline, versionText } = start()
    await timeline.reload()
    await timeline.reload()
    const loaded = (id: string) => versionText.mock.calls.filter((c) => c[2] === id).length
    expect(loaded('v3')).toBe(1)
    expect(loaded('v4')).toBe(2)
  })

  it('follows a new version, unless an older pair was chosen', async () => {
    const { timeline, versions } = start()
    await timeline.reload()
    versions.unshift({ id: 'v5', saved: '2026-11-29T10:00:00Z', items: 6, current: true })
    await timeline.reload()
    expect([timeline.older, timeline.newer]).toEqual(['v4', 'v5'])
    timeline.chooseNewer('v2')
    versions.unshift({ id: 'v6', saved: '2026-11-30T10:00:00Z', items: 6, current: true })
    await timeline.reload()
    expect([timeline.older, timeline.newer]).toEqual(['v1', 'v2'])
  })

  it('shows what the file is now if a person edited it by hand', async () => {
    const { timeline, versions } = start()
    for (const v of versions) v.current = false
    const now = { exists: true, updated: '2026-11-30T10:00:00Z', items: [{}, {}], markdown: 'by hand' }
    Object.assign(timeline, { bridge: { ...Reflect.get(timeline, 'bridge'), memory: async () => now } })
    await timeline.reload()
    expect(timeline.list.value?.[0]).toMatchObject({ id: NOW, items: 2, current: true })
    expect(timeline.pair.value).toMatchObject({ before: 'text of v4', after: 'by hand' })
  })

  it('has nothing to compare with one version', async () => {
    const { timeline } = start([1])
    await timeline.reload()
    expect(timeline.pair.value).toBeUndefined()
  })
})
