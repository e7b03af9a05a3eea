// What an intruder would try who got something into the page, and a server that
// must hear nothing of it.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// startServer listens at an origin of its own and notes who asks for what.
export function startServer(answer = 'hit()') {
  const asked = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Content-Type', request.url.startsWith('/page') ? 'text/html' : 'text/javascript')
    response.end(typeof answer === 'function' ? answer(request.url) : answer)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const url = `http://127.0.0.1:${server.address().port}`
      const stop = () => {
        server.closeAllConnections()
        return new Promise((done) => server.close(done))
      }
      resolve({ url, asked, stop })
    })
  })
}

// through gives what got through of the attempts, once all have had their time. Not
// every engine tells what it has blocked: the server knows what it has not.
export async function through(evaluate, server) {
  await sleep(3000)
  const tried = await evaluate('window.tried')
  const out = Object.entries(tried).filter(([, what]) => what !== null && what !== 'blocked')
  for (const name of ['eval', 'Function', 'fetch']) {
    if (tried[name] !== 'blocked') out.push([name, tried[name]])
  }
  if (await evaluate('window.hits ?? 0')) out.push(['a script', 'ran'])
  return [...out, ...server.asked]
}

// attempts is a script that tries everything, with what comes of it at
// window.tried: "blocked", what got through, or null as long as nobody says. It
// ends at once, and runs in any engine.
export const attempts = (url) => `(() => {
  const tried = (window.tried = {})
  window.hit = (what) => { window.hits = (window.hits ?? 0) + 1 }
  const body = document.body
  const add = (tag, set) => {
    const e = document.createElement(tag)
    Object.assign(e, set)
    body.append(e)
    return e
  }
  const later = (name, start) => {
    tried[name] = null
    const blocked = () => { tried[name] = 'blocked' }
    const through = () => { tried[name] = 'through' }
    try { start(through, blocked) } catch { blocked() }
  }
  // What a tester evaluates may do more than the page: a timer is the page's own.
  const code = (name, run) => later(name, (through, blocked) => setTimeout(() => {
    try { run() } catch { return blocked() }
    through()
  }))
  code('eval', () => eval('1'))
  code('Function', () => new Function('return 1')())
  add('script', { textContent: 'hit()' })
  const markup = add('div', {})
  markup.innerHTML = '<img src="x:" onerror="hit()"><svg onload="hit()"></svg><p style="position:fixed">x</p>'
  tried['style attribute'] = getComputedStyle(markup.querySelector('p')).position === 'fixed' ? 'styled' : 'blocked'
  add('button', { id: 'bait' }).setAttribute('onclick', 'hit()')
  document.getElementById('bait').click()
  const go = add('a', { href: 'javascript:hit()', textContent: 'go' })
  go.click()
  for (const [name, tag, set] of [
    ['script of another', 'script', { src: '${url}/script.js' }],
    ['picture', 'img', { src: '${url}/picture.png' }],
    ['style sheet', 'link', { rel: 'stylesheet', href: '${url}/style.css' }],
    ['frame', 'iframe', { src: '${url}/page-frame' }],
    ['object', 'object', { data: '${url}/page-object' }],
    ['sound', 'audio', { src: '${url}/sound.wav' }],
  ]) later(name, (through, blocked) => {
    const e = add(tag, {})
    e.onload = tag === 'iframe' || tag === 'object' ? blocked : through
    e.onerror = blocked
    Object.assign(e, set)
  })
  later('fetch', (through, blocked) => fetch('${url}/fetch', { mode: 'no-cors' }).then(through, blocked))
  later('socket', (through, blocked) => {
    const s = new WebSocket('${url}/socket'.replace('http', 'ws'))
    s.onopen = through
    s.onerror = blocked
  })
  later('events', (through, blocked) => {
    const s = new EventSource('${url}/events')
    s.onopen = through
    s.onerror = blocked
  })
  navigator.sendBeacon?.('${url}/beacon', 'words')
  add('base', { href: '${url}/' })
  tried.base = document.baseURI.startsWith('${url}') ? 'moved' : 'blocked'
  const form = add('form', { action: '${url}/form', method: 'post' })
  form.submit()
  add('a', { href: '${url}/page-link', textContent: 'link' }).click()
  add('a', { href: '${url}/page-new', target: '_blank', textContent: 'link' }).click()
  return true
})()`
