// The tray in a real panel, with a real mouse, and the window among other windows.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { programs, until } from '../rig/app.mjs'
import { memoryFile } from '../rig/cli.mjs'
import { changed, look, save } from '../rig/pixels.mjs'
import { lacking, startSession } from '../rig/session.mjs'

// A panel at the top of the screen that has nothing but the icons of programs.
const panelConfig = `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="32"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray"/>
  </property>
</channel>
`
const panelHeight = 32

describe('a real desktop', { skip: lacking('xfce4-panel', 'openbox', 'xdotool') }, () => {
  let session
  let shots

  before(async () => {
    session = await startSession({
      services: ['org.xfce.Xfconf'],
      screen: (home) => {
        shots = join(home.dir, 'screen')
        mkdirSync(shots)
        return ['-fbdir', shots]
      },
    })
    const folder = join(session.env.XDG_CONFIG_HOME, 'xfce4', 'xfconf', 'xfce-perchannel-xml')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'xfce4-panel.xml'), panelConfig)
    session.start('openbox')
    await until('the window manager', () => xdotool('get_num_desktops'))
    const empty = look(shots)
    session.start('xfce4-panel', ['--disable-wm-check'])
    await until('the panel', () => changed(empty, look(shots)))
    await still()
  })
  after(async () => {
    await session?.end()
  })

  const xdotool = (...args) => session.run('xdotool', args, { timeout: 15_000 })

  // still waits until the picture does not change for half a second.
  async function still() {
    let last = look(shots)
    let since = Date.now()
    await until('a picture that stays', () => {
      const now = look(shots)
      if (changed(last, now)) since = Date.now()
      last = now
      return Date.now() - since > 500
    })
    return last
  }

  // pictured keeps a picture of the screen if what is done fails.
  const pictured = (what) => async () => {
    try {
      await what()
    } catch (err) {
      const path = join(mkdtempSync(join(tmpdir(), 'recollect-e2e-')), 'screen.png')
      save(look(shots), path)
      err.message += `\nthe screen: ${path}`
      throw err
    }
  }

  // aside moves the pointer, which is in the picture, to where it is in no way.
  const aside = () => xdotool('mousemove', '1200', '700')

  async function click(x, y) {
    await xdotool('mousemove', '--sync', String(x), String(y))
    await xdotool('click', '1')
  }

  test(
    'a click on the icon opens the menu, and its second entry memorizes',
    pictured(async () => {
      await aside()
      const before = await still()
      await session.service()
      await until('the icon', () => changed(before, look(shots), 0, panelHeight))
      const shown = await still()
      const icon = changed(before, shown, 0, panelHeight)
      assert.ok(
        icon.right - icon.left >= 8 && icon.bottom - icon.top >= 8,
        `the icon is ${JSON.stringify(icon)}`,
      )
      const memory = memoryFile(session.home, 'harbour')
      assert.ok(!existsSync(memory))

      await click((icon.left + icon.right) >> 1, (icon.top + icon.bottom) >> 1)
      await until('the menu', () => {
        const menu = changed(shown, look(shots), panelHeight)
        return menu && menu.bottom - menu.top > 100 // a tooltip is lower
      })
      await still()
      // The first opens the window; the line that tells how it is can't be chosen.
      await xdotool('key', '--clearmodifiers', 'Down')
      await xdotool('key', '--clearmodifiers', 'Down')
      await xdotool('key', '--clearmodifiers', 'Return')
      await until('the memory', () => readFileSync(memory, 'utf8').includes('whole cents'), 120)
      await aside() // the icon has a tooltip
      await until('the end of the menu', () => !changed(shown, look(shots), panelHeight))
    }),
  )

  test(
    'a second start brings a window forward that was put away',
    pictured(async () => {
      await session.window(['-screen', 'projects'])
      const visible = async () => {
        try {
          return (await xdotool('search', '--onlyvisible', '--name', '^Recollect$')).trim().split('\n')[0]
        } catch {
          return '' // none was found
        }
      }
      const id = await until('the window', visible)
      await xdotool('windowminimize', id)
      await until('no window', async () => !(await visible()))
      const second = session.start(programs.window)
      assert.equal(await second.ended, 0, second.said)
      await until('the window', async () => (await visible()) === id)
      await until('the window in front', async () => (await xdotool('getactivewindow')).trim() === id)
    }),
  )
})
