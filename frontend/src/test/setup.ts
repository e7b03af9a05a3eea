import '@testing-library/jest-dom/vitest'
import { afterEach, beforeEach, vi } from 'vitest'

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
