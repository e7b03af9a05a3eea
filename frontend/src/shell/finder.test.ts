import { describe, expect, test } from 'vitest'
import { asProblem } from '../bridge'
import { testApp } from '../test/app'
import { Finder } from './finder.svelte'

const memoryOf = (...contents: string[]) => ({
  branch: '',
  exists: true,
  sections: [],
  items: contents.map((content, i) => ({ id: `i${i}`, section: 'facts', content, state: 'active' })),
})

async function finder(memories: Record<string, string[] | 'broken'>) {
  const app = await testApp()
  app.branches.put(Object.keys(memories).map((name) => ({ name, items: 1 }) as never))
  app.route.go({ branch: 'main' })
  app.bridge.memory = async (_root, branch) => {
    const words = memories[branch]
    if (!words || words === 'broken') throw asProblem({ code: 'broken', message: 'no' })
    return memoryOf(...words) as never
  }
  const f = new Finder(app)
  await f.read()
  return { f, app }
}

describe('finding items', () => {
  test('by all words in any order, over branches, that of the person first', async () => {
    const { f } = await finder({
      other: ['The port is 8080', 'Port the code'],
      main: ['Open port 22 only', 'x'],
    })
    expect(f.find('port').hits.map((h) => h.note)).toEqual(['main', 'other', 'other'])
    expect(f.find('8080 PORT').hits.map((h) => h.label)).toEqual(['The port is 8080'])
    expect(f.find('p').hits).toEqual([])
  })

  test('what several branches remember comes once, from the current one', async () => {
    const { f } = await finder({ a: ['Use tabs'], main: ['Use tabs'], b: 'broken' })
    expect(f.find('tabs').hits.map((h) => h.note)).toEqual(['main'])
  })

  test('says how many more there are, and forgets', async () => {
    const { f } = await finder({ main: Array.from({ length: 40 }, (_, i) => `Rule number ${i}`) })
    expect(f.find('rule').more).toBe(28)
    f.forget()
    expect(f.find('rule').hits).toEqual([])
  })

  test('an item asks the memory of its branch to show it', async () => {
    const { f, app } = await finder({ main: ['x'], other: ['The port is 8080'] })
    f.find('8080').hits[0]?.run()
    expect([app.route.screen, app.branch]).toEqual(['memory', 'other'])
    expect(app.granted('memory')).toEqual({ screen: 'memory', what: 'item', id: 'i0' })
    expect(app.granted('memory')).toBeUndefined()
  })
})
