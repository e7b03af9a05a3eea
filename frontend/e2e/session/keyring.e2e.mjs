// A model's key, from the window into a real keyring and out of it again.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { programs, until } from '../rig/app.mjs'
import { startModel } from '../rig/model.mjs'
import { lacking, startSession } from '../rig/session.mjs'

const skip = lacking('gnome-keyring-daemon', 'secret-tool', 'gdbus')
const key = 'sk-ant-e2e-0123456789-abcdefghij-KEYRING'

// open starts a session with a window at the settings. password unlocks its
// keyring, or not; none: there is no keyring.
async function open(before = async () => {}) {
  const session = await startSession()
  try {
    const daemon = await before(session)
    const w = await session.window(['-screen', 'settings'])
    await w.page.has('Who answers')
    return { session, daemon, ...w }
  } catch (err) {
    await session.end()
    throw err
  }
}

// keyring starts the daemon; a new one makes the keyring that is asked for with
// the password.
async function keyring(session, password) {
  const daemon = session.start(
    'gnome-keyring-daemon',
    ['--foreground', '--components=secrets', '--unlock'],
    password,
  )
  await until('the keyring', () => ring(session, 'ReadAlias', 'default'))
  return daemon
}

const ring = (session, method, ...args) =>
  session.run('gdbus', [
    'call',
    '--session',
    '--timeout=10',
    '--dest=org.freedesktop.secrets',
    '--object-path=/org/freedesktop/secrets',
    `--method=org.freedesktop.Secret.Service.${method}`,
    ...args,
  ])

// stored asks the keyring by a program of its own what it holds.
function stored(session) {
  const args = ['lookup', 'service', 'recollect', 'username', 'anthropic']
  const got = spawnSync('secret-tool', args, { env: session.env, encoding: 'utf8', timeout: 15_000 })
  return got.stdout
}

// type writes into the field with a label, as a keyboard's input arrives.
const type = (page, label, text) =>
  until(label, () =>
    page.evaluate(`(() => {
      const field = [...document.querySelectorAll('main input')].find((e) => e.labels?.[0]?.innerText.trim().startsWith(${JSON.stringify(label)}))
      if (!field) return false
      field.focus()
      field.value = ${JSON.stringify(text)}
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      field.dispatchEvent(new Event('change', { bubbles: true }))
      field.blur()
      return true
    })()`),
  )

const mainText = (page) => page.evaluate(`document.querySelector('main').innerText`)

async function anthropic(page, address) {
  await page.evaluate(`document.querySelector('input[name=model-provider][value=anthropic]').click()`)
  await page.has('Key for Anthropic')
  if (address) {
    await type(page, 'Address of the service', address)
    await page.has('Address of the service: saved for all projects')
  }
}

// listen keeps what the program sends to the page from now on.
const listen = (page) =>
  page.evaluate(`(() => {
    window.heard = []
    for (const name of ['Callback', 'EventsNotify']) {
      const take = window.wails[name]
      window.wails[name] = (message) => {
        window.heard.push(String(message))
        return take(message)
      }
    }
  })()`)

// held is all that the page holds: what it shows, fields and storage included.
const held = (page) =>
  page.evaluate(`JSON.stringify([
    document.documentElement.outerHTML,
    [...document.querySelectorAll('input, textarea')].map((e) => e.value),
    Object.entries(localStorage),
    Object.entries(sessionStorage),
  ])`)

// filesWith lists the files below a folder that hold a text.
function filesWith(dir, text) {
  return readdirSync(dir, { recursive: true }).filter((name) => {
    const path = join(dir, name)
    const info = lstatSync(path, { throwIfNoEntry: false })
    return info?.isFile() && info.size < 32 << 20 && readFileSync(path).includes(text)
  })
}

test('a key goes into the keyring and never comes back', { skip }, async () => {
  const model = await startModel(key)
  let session
  try {
    const w = await open((s) => keyring(s, 'open sesame'))
    session = w.session
    const { page } = w
    await anthropic(page, model.address)
    await page.has('There is no key.')
    await listen(page)

    await type(page, 'Key for Anthropic', key)
    await page.click('main button', 'Store the key')
    await page.has('A key is in the keyring of your system.')
    const origin = new URL(model.address).origin
    assert.equal(stored(session), `${key}\nfor ${origin}`)
    const field = await page.evaluate(`document.querySelector('main input[type=password]').value`)
    assert.equal(field, '')

    await page.click('main button', 'Test the model')
    await page.has('answered')
    assert.match(await mainText(page), /41 tokens read, 7 tokens written/)
    assert.deepEqual(
      model.requests.map((r) => [r.path, r.key]),
      [['/v1/messages', key]],
    )

    await type(page, 'Key for Anthropic', `${key}-wrong`)
    await page.click('main button', 'Store the key')
    await until('the other key', () => stored(session) === `${key}-wrong\nfor ${origin}`)
    await page.click('main button', 'Test the model')
    await page.has('refused our credentials')

    await page.click('main button', 'Delete the key')
    await page.click('[role=alertdialog] button, [role=dialog] button', 'Delete')
    await page.has('There is no key.')
    assert.equal(stored(session), '')

    const answers = await page.evaluate('window.heard')
    assert.ok(answers.length > 5, 'the answers of the program were not heard')
    assert.ok(!answers.join('').includes(key), 'the program sent the key to the page')
    assert.ok(!(await held(page)).includes(key), 'the page holds the key')
    assert.deepEqual(page.errors, [])
    assert.ok(!w.run.said.includes(key), 'the window wrote the key')
    assert.deepEqual(filesWith(session.home.dir, key), [])
  } finally {
    await session?.end()
    await model.stop()
  }
})

// refused tries to store a key where that can't be, and gives what is said.
async function refused(page) {
  await anthropic(page)
  await type(page, 'Key for Anthropic', key)
  await page.click('main button', 'Store the key')
  await page.has('RECOLLECT_API_KEY', 90)
  return mainText(page)
}

test('a locked keyring is told, and what to do', { skip }, async () => {
  const { session, page } = await open(async (s) => {
    const first = await keyring(s, 'open sesame')
    await first.stop()
    await keyring(s, 'another password')
  })
  try {
    assert.match(await refused(page), /the keyring is locked/)
    const env = { ...session.env }
    delete env.DISPLAY
    const status = JSON.parse(
      await session.run(programs.cli, ['auth', 'status', 'anthropic', '--json'], { env }),
    )
    assert.match(JSON.stringify(status), /the keyring is locked/)
  } finally {
    await session.end()
  }
})

test('a session without a keyring is told, and what to do', { skip }, async () => {
  const { session, page } = await open()
  try {
    assert.match(await refused(page), /no Secret Service runs/)
    assert.deepEqual(filesWith(session.home.dir, key), [])
  } finally {
    await session.end()
  }
})

test('a bus that is gone is told, and what to do', { skip }, async () => {
  const { session, page } = await open((s) => s.dropBus())
  try {
    assert.match(await refused(page), /D-Bus does not answer/)
  } finally {
    await session.end()
  }
})
