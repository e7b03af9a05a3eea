import {
  asProblem,
  type Bridge,
  type Claim,
  type ClaimedItem,
  type ClaimKind,
  type Problem,
  type Trust,
} from '../bridge'
import { text } from '../text'
import { Resource } from './resource.svelte'

// claimedItems are the items that a claim is about: none of other kinds.
export function claimedItems(claim: Claim): ClaimedItem[] {
  return claim.kind === 'memory' && Array.isArray(claim.value) ? claim.value : []
}

// Trusting is what the current project asks for and what the person says to it.
// It is looked at after the project is on the screen and never waited for.
export class Trusting {
  readonly loaded: Resource<Trust | null>
  busy = $state(false)
  problem = $state.raw<Problem | undefined>(undefined) // of the last answer
  // What "not now" was said to, until the window closes: a digest for each root.
  #later = $state.raw(new Map<string, string>())

  constructor(
    private bridge: Bridge,
    private root: () => string,
  ) {
    this.loaded = new Resource(() => (this.root() ? this.bridge.trust(this.root()) : Promise.resolve(null)))
  }

  get value(): Trust | undefined {
    return this.loaded.value ?? undefined
  }

  get claims(): Claim[] {
    return this.value?.claims ?? []
  }

  // waits says whether something waits for a yes.
  get waits(): boolean {
    return this.value?.status === 'asked' || this.value?.status === 'changed'
  }

  // told says whether a banner has to say so.
  get told(): boolean {
    return this.waits && this.#later.get(this.root()) !== this.value?.digest
  }

  // left is another project: nothing of the one before is shown for it.
  left(): void {
    this.problem = undefined
    this.loaded.clear()
  }

  notNow(): void {
    if (this.value && this.waits) {
      this.#later = new Map(this.#later).set(this.root(), this.value.digest)
    }
  }

  // give says yes to what is shown, or to what of it is of one kind, and to
  // nothing else. It tells whether that was done; if the project asks for
  // something else by now that is shown.
  async give(kind?: ClaimKind): Promise<boolean> {
    const shown = this.value
    if (!shown) return false
    return this.#answer(() => this.bridge.giveTrust(this.root(), shown.digest, kind ? [kind] : []))
  }

  async revoke(): Promise<boolean> {
    return this.#answer(() => this.bridge.revokeTrust(this.root()))
  }

  async #answer(call: () => Promise<Trust>): Promise<boolean> {
    const root = this.root()
    this.busy = true
    this.problem = undefined
    try {
      const now = await call()
      if (root === this.root()) this.loaded.put(now)
      return true
    } catch (cause) {
      if (root !== this.root()) return false
      const problem = asProblem(cause)
      const changed = problem.code === 'changed'
      if (changed) await this.loaded.reload()
      this.problem = changed ? { code: 'changed', ...text.trust.meanwhile } : problem
      return false
    } finally {
      this.busy = false
    }
  }
}
