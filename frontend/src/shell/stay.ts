// stay keeps the page where it is: what is dropped on the window, a link or a
// script that would lead elsewhere is refused. A policy can't say that, and not
// every system's window asks before it goes. It gives what ends that.
export function stay(page: Window = window): () => void {
  const drop = (e: Event) => {
    if (e.defaultPrevented) return
    e.preventDefault()
    const data = (e as DragEvent).dataTransfer
    if (data) data.dropEffect = 'none'
  }
  const click = (e: Event) => {
    const link = e.target instanceof Element ? e.target.closest('a, area') : null
    const to = link?.getAttribute('href')
    if (to && !to.startsWith('#')) e.preventDefault()
  }
  // Only newer engines tell.
  const navigate = (e: Event) => {
    const to = e as Event & { hashChange?: boolean; navigationType?: string }
    if (!to.hashChange && to.navigationType !== 'reload') e.preventDefault()
  }
  const navigation = (page as Window & { navigation?: EventTarget }).navigation
  const all: [EventTarget, string, (e: Event) => void][] = [
    [page, 'dragover', drop],
    [page, 'drop', drop],
    [page, 'click', click],
    [page, 'auxclick', click],
  ]
  if (navigation) all.push([navigation, 'navigate', navigate])
  for (const [target, name, handle] of all) target.addEventListener(name, handle)
  return () => {
    for (const [target, name, handle] of all) target.removeEventListener(name, handle)
  }
}
