import '@testing-library/jest-dom/vitest'
import { configure } from '@testing-library/svelte'
import { afterEach, beforeEach, vi } from 'vitest'

// Machines that run many things at once are slow.
configure({ asyncUtilTimeout: 30_000 })

// What browsers have and jsdom has not.
class NoResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
vi.stubGlobal('ResizeObserver', NoResizeObserver)
window.matchMedia = (query) =>
  ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }) as unknown as MediaQueryList
Element.prototype.scrollIntoView = () => {}
Element.prototype.hasPointerCapture = () => false
Element.prototype.setPointerCapture = () => {}
Element.prototype.releasePointerCapture = () => {}
Element.prototype.animate ??= () =>
  ({ cancel() {}, finished: Promise.resolve(), onfinish: null }) as unknown as Animation
Element.prototype.getAnimations ??= () => []

beforeEach(() => localStorage.clear())
afterEach(() => document.body.replaceChildren())
