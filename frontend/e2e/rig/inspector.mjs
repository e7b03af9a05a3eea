// Speaks to the page of the real window through WebKit's remote inspector.
import { freePort, launch, programs, until } from './app.mjs'

// startWindow starts the window as people get it and attaches to its page.
export async function startWindow(home, screen, args = [], bus = undefined) {
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const env = {
    ...home.env,
    DISPLAY: screen.display,
    RECOLLECT_E2E: '1',
    WEBKIT_INSPECTOR_HTTP_SERVER: address,
  }
  const run = launch(programs.window, args, env, bus)
  try {
    const page = await attachTo(address, () => {
      if (run.code !== null) throw new Error(`the window ended with ${run.code}`)
    })
    return { run, page, stop: run.stop }
  } catch (err) {
    await run.stop()
    throw new Error(`${err.message}\n${run.said}`)
  }
}

// attachTo attaches to the page of a window whose inspector listens at an
// address. check throws if there is no use in waiting.
export async function attachTo(address, check = () => {}) {
  const path = await until('the inspector', async () => {
    check()
    const list = await (await fetch(`http://${address}/`, { signal: AbortSignal.timeout(5000) })).text()
    return list.match(/socket\/\d+\/\d+\/WebPage/)?.[0]
  })
  return attach(`ws://${address}/${path}`)
}

// attach gives what evaluates expressions in the page behind a socket, and
// collects the errors that its console has.
async function attach(url) {
  const socket = new WebSocket(url)
  const waiting = new Map()
  const errors = []
  let last = 0
  let target
  const take = (text) => {
    const m = JSON.parse(text)
    if (m.method === 'Target.targetCreated' && m.params.targetInfo.type === 'page')
      target = m.params.targetInfo.targetId
    if (m.method === 'Target.dispatchMessageFromTarget') take(m.params.message)
    if (m.method === 'Console.messageAdded' && m.params.message.level === 'error')
      errors.push(m.params.message.text)
    if (waiting.has(m.id) && (m.result || m.error) && m.result?.result !== undefined) {
      waiting.get(m.id)(m.result)
      waiting.delete(m.id)
    }
  }
  socket.addEventListener('message', (event) => take(event.data))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the inspector closed the door')))
  })
  await until('the page', () => target)
  const send = (method, params) => {
    last += 1
    const id = last
    const message = JSON.stringify({ id, method, params })
    socket.send(
      JSON.stringify({
        id: 1_000_000 + id,
        method: 'Target.sendMessageToTarget',
        params: { targetId: target, message },
      }),
    )
    return id
  }
  send('Console.enable', {})
  send('Runtime.enable', {})
  // evaluate gives the value of an expression, which must not be a promise.
  const evaluate = (expression) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${expression}`)), 15_000)
      const id = send('Runtime.evaluate', { expression, returnByValue: true })
      waiting.set(id, (result) => {
        clearTimeout(timer)
        if (result.wasThrown) reject(new Error(result.result.description))
        else resolve(result.result.value)
      })
    })
  return {
    errors,
    evaluate,
    close: () => socket.close(),
    // has waits until the page shows a text.
    has: (text, seconds = 60) =>
      until(
        JSON.stringify(text),
        () => evaluate(`document.body.innerText.includes(${JSON.stringify(text)})`),
        seconds,
      ),
    // click clicks what has a role's element and a name, or says that it is not there.
    click: (selector, name) =>
      until(`${selector} "${name}"`, () =>
        evaluate(`(() => {
          const named = (e) => (e.getAttribute('aria-label') ?? e.innerText).trim()
          const e = [...document.querySelectorAll(${JSON.stringify(selector)})].find((e) => named(e).startsWith(${JSON.stringify(name)}) && !e.disabled)
          e?.click()
          return Boolean(e)
        })()`),
      ),
  }
}
