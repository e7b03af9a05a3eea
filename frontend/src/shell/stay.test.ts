import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stay } from './stay'

describe('the page stays where it is', () => {
  let end: () => void
  beforeEach(() => {
    end = stay()
  })
  afterEach(() => {
    end()
    document.body.replaceChildren()
  })

  // goes says whether a click on a link is left to the window.
  function goes(href: string, type = 'click'): boolean {
    const link = document.createElement('a')
    link.setAttribute('href', href)
    link.append(document.createElement('b'))
    document.body.append(link)
    return link.firstElementChild?.dispatchEvent(
      new MouseEvent(type, { bubbles: true, cancelable: true }),
    ) as boolean
  }

  it('whatever link is clicked, with any button', () => {
    for (const href of [
      'https://example.invalid/',
      '//example.invalid',
      'file:///etc/passwd',
      'other.html',
      '?x',
    ]) {
      expect(goes(href)).toBe(false)
      expect(goes(href, 'auxclick')).toBe(false)
    }
  })

  it('and links within it work', () => {
    expect(goes('#content')).toBe(true)
  })

  it('when something is dropped', () => {
    for (const type of ['dragover', 'drop']) {
      const e = new Event(type, { bubbles: true, cancelable: true })
      expect(document.body.dispatchEvent(e)).toBe(false)
    }
  })

  it('until it ends', () => {
    end()
    expect(goes('https://example.invalid/')).toBe(true)
  })
})
