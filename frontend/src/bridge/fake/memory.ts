import type { Bridge } from '../bridge'
import { BridgeProblem } from '../problem'
import type * as t from '../types'
import { sections, talk } from './words'
import { ago, markdown, type World } from './world'

type MemoryCalls = Pick<
  Bridge,
  | 'memory'
  | 'addItem'
  | 'editItem'
  | 'moveItem'
  | 'removeItems'
  | 'pinItem'
  | 'undoEdit'
  | 'clearMemory'
  | 'sourceOf'
  | 'sessionTurns'
  | 'versions'
  | 'versionText'
  | 'restore'
>

export function memoryCalls(w: World): MemoryCalls {
  const archived = w.options.has('archived') || undefined
  const get = (root: string, branch: string): t.Memory => {
    w.project(root)
    const { items, versions } = w.bank(root, branch)
    return {
      branch,
      exists: versions.length > 0,
      file: versions.length ? `${root}/.recollect/branches/${branch.replaceAll('/', '_')}.md` : undefined,
      updated: versions[0]?.saved,
      sections,
      items: structuredClone(items),
      unseen: items.filter((i) => i.unseen).length,
      markdown: markdown(branch, items),
      damage: w.options.has('damage')
        ? [{ file: 'main.items.jsonl', line: 7, why: 'the line is cut off in the middle' }]
        : undefined,
    }
  }
  const edit = (root: string, branch: string, change: (items: t.Item[]) => t.Item[]): t.Edited => {
    const before = w.bank(root, branch).items
    const undo = w.save(root, branch, change(structuredClone(before)))
    return { memory: get(root, branch), undo }
  }
  const item = (root: string, branch: string, id: string): t.Item => {
    const found = w.bank(root, branch).items.find((i) => i.id === id)
    if (!found) throw new BridgeProblem({ code: 'no_item', message: 'this item is no longer there' })
    return found
  }
  const version = (root: string, branch: string, id: string) => {
    const found = w.bank(root, branch).versions.find((v) => v.id === id)
    if (!found) throw new BridgeProblem({ code: 'no_version', message: 'this version is no longer there' })
    return found
  }
  const valid = (content: string) => {
    if (content.trim()) return content.trim()
    throw new BridgeProblem({
      code: 'invalid',
      message: 'an item needs some words',
      hint: 'Write one sentence.',
    })
  }

  return {
    async memory(root, branch) {
      return get(root, branch)
    },
    async addItem(root, branch, section, content) {
      return edit(root, branch, (items) => {
        const at = items.findLastIndex((i) => i.section === section) + 1 || items.length
        return items.toSpliced(at, 0, w.newItem(section, valid(content), 'person', 1))
      })
    },
    async editItem(root, branch, id, content, was) {
      if (item(root, branch, id).content !== was) {
        throw new BridgeProblem({ code: 'changed', message: 'it changed meanwhile' })
      }
      return edit(root, branch, (items) =>
        items.map((i) => (i.id === id ? { ...i, content: valid(content), updated: w.now() } : i)),
      )
    },
    async moveItem(root, branch, id, section, before) {
      const moved = { ...structuredClone(item(root, branch, id)), section }
      return edit(root, branch, (items) => {
        const rest = items.filter((i) => i.id !== id)
        const at = rest.findIndex((i) => i.id === before)
        const end = rest.findLastIndex((i) => i.section === section) + 1 || rest.length
        return rest.toSpliced(at < 0 ? end : at, 0, moved)
      })
    },
    async removeItems(root, branch, ids) {
      for (const id of ids) item(root, branch, id)
      return edit(root, branch, (items) => items.filter((i) => !ids.includes(i.id)))
    },
    async pinItem(root, branch, id, pinned) {
      item(root, branch, id)
      return edit(root, branch, (items) => items.map((i) => (i.id === id ? { ...i, pinned } : i)))
    },
    async undoEdit(root, branch, undo) {
      const back = w.undos.get(undo)
      if (!back) throw new BridgeProblem({ code: 'changed', message: 'this can no longer be undone' })
      back()
      return { memory: get(root, branch), undo: '' }
    },
    async clearMemory(root, branch) {
      return edit(root, branch, () => [])
    },
    async sourceOf(root, branch, id) {
      const i = structuredClone(item(root, branch, id))
      return { item: i, places: (i.origins ?? []).map((origin) => place(origin, branch, archived)) }
    },
    async sessionTurns(_root, session, from, count) {
      const all = turns('main')
      return {
        session,
        title: 'Invoice totals',
        source: 'claude-code',
        total: all.length,
        from,
        turns: all.slice(from, from + count),
        archived,
      }
    },
    async versions(root, branch) {
      return w
        .bank(root, branch)
        .versions.map((v, i) => ({ id: v.id, saved: v.saved, items: v.items.length, current: i === 0 }))
    },
    async versionText(root, branch, id) {
      return markdown(branch, version(root, branch, id).items)
    },
    async restore(root, branch, id) {
      const { items } = version(root, branch, id)
      return edit(root, branch, () => structuredClone(items))
    },
  }
}

function turns(branch: string): t.Turn[] {
  return talk.map(([prompt, answer], i) => ({
    id: `t-${i}`,
    session: 's-invoice',
    source: 'claude-code',
    branch,
    time: ago(6 - i / 50),
    messages: [
      { id: `m-${2 * i}`, role: 'user', time: ago(6 - i / 50), text: prompt },
      { id: `m-${2 * i + 1}`, role: 'assistant', time: ago(5.99 - i / 50), text: answer },
    ],
  }))
}

function place(origin: t.Origin, branch: string, archived?: boolean): t.Place {
  if (origin.extractor === 'person')
    return { origin, cited: [], turns: [], missing: 'A person wrote this item.' }
  const cited = origin.records ?? []
  const all = turns(branch)
  const near = all.filter((_, i) =>
    [i - 1, i, i + 1].some((n) => all[n]?.messages.some((m) => cited.includes(m.id))),
  )
  return { origin, title: 'Invoice totals', cited, turns: near, archived }
}
