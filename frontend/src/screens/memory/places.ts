import { asProblem, type Bridge, type Item, type Origin, type Place, type Turn } from '../../bridge'
import { text } from '../../text'

// Asked is what somebody wants to know the source of: an item of a memory, or
// something that is not remembered and has only its origins.
export interface Asked {
  content: string
  branch: string
  item?: string // id
  origins?: Origin[]
}

const PAGE = 100
const MOST = 3000 // turns of a session that are searched

// placesOf gives where something came from, in an order that does not change.
export async function placesOf(
  bridge: Bridge,
  root: string,
  asked: Asked,
): Promise<{ item?: Item; places: Place[] }> {
  if (asked.item) return bridge.sourceOf(root, asked.branch, asked.item)
  const places: Place[] = []
  for (const origin of asked.origins ?? []) places.push(await placeOf(bridge, root, origin))
  return { places }
}

// placeOf finds the turns of an origin by reading its session.
async function placeOf(bridge: Bridge, root: string, origin: Origin): Promise<Place> {
  const none = (missing: string): Place => ({ origin, cited: [], turns: [], missing })
  if (origin.extractor === 'person' && !origin.session) return none(text.memory.from.person)
  if (!origin.session) return none(text.memory.from.noRecord)
  try {
    return await search(bridge, root, origin, origin.session)
  } catch (cause) {
    const problem = asProblem(cause)
    if (problem.code === 'not_found') return none(text.memory.from.goneSession)
    throw problem
  }
}

async function search(bridge: Bridge, root: string, origin: Origin, session: string): Promise<Place> {
  const wanted = new Set(origin.records)
  const found = new Set<string>()
  const turns: Turn[] = []
  let title = ''
  let archived: boolean | undefined
  for (let total = 1; turns.length < Math.min(total, MOST); ) {
    const page = await bridge.sessionTurns(root, session, turns.length, PAGE)
    title = page.title
    total = page.total
    archived = page.archived
    if (!page.turns.length) break
    turns.push(...page.turns)
    for (const t of page.turns) for (const m of t.messages) if (wanted.has(m.id)) found.add(m.id)
    // One turn more is wanted after the last that is cited.
    const last = turns.at(-1)
    if (found.size === wanted.size && last && !cites(last, found)) break
  }
  const near = turns.filter((_, i) => [i - 1, i, i + 1].some((n) => cites(turns[n], found)))
  const missing = near.length ? undefined : text.memory.from.notCited
  return { origin, title, cited: [...found], turns: near, missing, archived }
}

export function cites(turn: Turn | undefined, ids: ReadonlySet<string>): boolean {
  return turn?.messages.some((m) => ids.has(m.id)) ?? false
}
