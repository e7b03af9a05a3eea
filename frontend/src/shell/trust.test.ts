import { render, screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import Root from '../App.svelte'
import { type Bridge, BridgeProblem, type Trust } from '../bridge'
import { fakeBridge } from '../bridge/fake'
import Injection from '../screens/injection/Injection.svelte'
import Memory from '../screens/memory/Memory.svelte'
import Projects from '../screens/projects/Projects.svelte'
import Settings from '../screens/settings/Settings.svelte'
import { renderIn, testApp } from '../test/app'
import { violations } from '../test/axe'
import { text } from '../text'
import StatusBar from './StatusBar.svelte'

const t = text.trust

function start(options = '', over: Partial<Bridge> = {}) {
  const bridge = Object.assign(fakeBridge(new URLSearchParams(`fast&${options}`)), over)
  return { bridge, ...render(Root, { bridge }) }
}
const banner = () => screen.findByRole('region', { name: t.banner.label })
const open = async () => {
  await userEvent.click(within(await banner()).getByRole('button', { name: t.banner.open }))
  return screen.findByRole('dialog', { name: t.title('corner-shop') })
}

describe('what a project asks for', () => {
  it('is told without taking the keyboard', async () => {
    start('asks=asked')
    await screen.findByRole('heading', { name: 'Projects and branches' })
    const before = document.activeElement
    const b = await banner()
    expect(document.activeElement).toBe(before)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(b.closest('[role=status]')).not.toBeNull()
    expect(b).toHaveTextContent('corner-shop asks for more than may count by itself')
    expect(b).toHaveTextContent('3 settings, 1 link, the memory of 1 branch, kept state in 1 place')
    expect(await violations()).toEqual([])
  })

  it('is nothing for most, and then nothing is told', async () => {
    start()
    await screen.findByRole('heading', { name: 'Projects and branches' })
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.click(await screen.findByRole('option', { name: /See what this project asks for/ }))
    const sheet = await screen.findByRole('dialog', { name: t.title('corner-shop') })
    expect(await within(sheet).findByText(t.nothingText)).toBeVisible()
    expect(within(sheet).queryByRole('button', { name: t.yes })).toBeNull()
    expect(screen.queryByRole('region', { name: t.banner.label })).toBeNull()
    expect(await violations()).toEqual([])
  })

  it('is shown in words, by kind, and as text', async () => {
    start('asks=asked')
    const sheet = await open()
    for (const head of Object.values(t.heads)) {
      expect(within(sheet).getByRole('heading', { name: head })).toBeVisible()
    }
    expect(sheet).toHaveTextContent('would be sent to http://models.example.invalid:8080')
    expect(sheet).toHaveTextContent('In the file: http://models.example.invalid:8080/v1⟨U+202E⟩')
    expect(sheet).toHaveTextContent('Run `make all` before each commit.')
    expect(within(sheet).queryByRole('link')).toBeNull()
    expect(await violations()).toEqual([])
  })

  it('counts after a yes to just that', async () => {
    const { bridge } = start('asks=asked')
    const give = vi.spyOn(bridge, 'giveTrust')
    const sheet = await open()
    const { digest } = await bridge.trust('/home/sam/code/corner-shop')
    await userEvent.click(within(sheet).getByRole('button', { name: t.yes }))
    expect(give).toHaveBeenCalledWith('/home/sam/code/corner-shop', digest, [])
    expect(await screen.findByText(t.did.give('corner-shop'))).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('region', { name: t.banner.label })).toBeNull())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('counts in part after a yes to one kind, and the rest goes on waiting', async () => {
    const { bridge } = start('asks=asked')
    const give = vi.spyOn(bridge, 'giveTrust')
    const sheet = await open()
    const { digest } = await bridge.trust('/home/sam/code/corner-shop')
    await userEvent.click(within(sheet).getByRole('button', { name: t.yesTo.memory }))
    expect(give).toHaveBeenCalledWith('/home/sam/code/corner-shop', digest, ['memory'])
    expect(await screen.findByText(t.did.giveKind.memory)).toBeVisible()
    await waitFor(() => expect(within(sheet).queryByRole('button', { name: t.yesTo.memory })).toBeNull())
    expect(within(sheet).getByRole('group', { name: t.body })).toHaveFocus()
    expect(within(sheet).getByText(t.known)).toBeVisible()
    expect(within(sheet).getAllByText(t.fresh)).toHaveLength(5)
    expect(within(sheet).getByRole('button', { name: t.yesTo.setting })).toBeEnabled()
    expect(await violations()).toEqual([])
  })

  it('is shown anew where it changed meanwhile, and a second yes is to that', async () => {
    const asked: Trust = {
      root: '/home/sam/code/corner-shop',
      status: 'asked',
      digest: 'first',
      claims: [{ kind: 'setting', name: 'model.provider', words: 'One thing.', given: false }],
    }
    let now = asked
    const giveTrust = vi.fn(async (_: string, digest: string): Promise<Trust> => {
      if (digest !== now.digest) throw new BridgeProblem({ code: 'changed', message: 'changed' })
      return { ...now, status: 'given' }
    })
    start('', { trust: async () => now, giveTrust })
    const sheet = await open()
    expect(sheet).toHaveTextContent('One thing.')
    now = {
      ...asked,
      digest: 'second',
      claims: [{ kind: 'setting', name: 'model.provider', words: 'Another thing.', given: false }],
    }
    await userEvent.click(within(sheet).getByRole('button', { name: t.yes }))
    expect(await within(sheet).findByText(t.meanwhile.message)).toBeVisible()
    expect(sheet).toHaveTextContent('Another thing.')
    expect(sheet).not.toHaveTextContent('One thing.')
    expect(within(sheet).getByRole('group', { name: t.body })).toHaveFocus()
    await userEvent.click(within(sheet).getByRole('button', { name: t.yes }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(giveTrust.mock.calls.map((c) => c[1])).toEqual(['first', 'second'])
  })

  it('waits until it is asked for again after "not now", also by keyboard', async () => {
    const { bridge } = start('asks=asked')
    const give = vi.spyOn(bridge, 'giveTrust')
    const sheet = await open()
    expect(within(sheet).getByRole('group', { name: t.body })).toHaveFocus()
    for (const yes of Object.values(t.yesTo)) {
      await userEvent.tab()
      expect(within(sheet).getByRole('button', { name: yes })).toHaveFocus()
    }
    await userEvent.tab()
    expect(within(sheet).getByRole('button', { name: t.notNow })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByRole('region', { name: t.banner.label })).toBeNull()
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.click(await screen.findByRole('option', { name: /See what this project asks for/ }))
    expect(await screen.findByRole('dialog', { name: t.title('corner-shop') })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    expect(give).not.toHaveBeenCalled()
  })

  it('is among what waits for the person', async () => {
    const app = await testApp({ asks: 'asked' })
    await app.trust.loaded.reload()
    app.trust.notNow()
    renderIn(app, StatusBar)
    await userEvent.click(screen.getByRole('button', { name: /^Status details/ }))
    await userEvent.click(await screen.findByText(t.waits(6)))
    expect(app.overlay).toBe('trust')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('tells what is new where a yes was given before', async () => {
    start('asks=changed')
    const b = await banner()
    expect(b).toHaveTextContent(t.banner.changed('corner-shop'))
    expect(b).toHaveTextContent('1 setting, 1 link')
    const sheet = await open()
    expect(within(sheet).getAllByText(t.known)).toHaveLength(2)
    expect(within(sheet).getAllByText(t.fresh)).toHaveLength(4)
    expect(await violations()).toEqual([])
  })

  it('is shown whole before a yes', async () => {
    start('asks=many')
    const sheet = await open()
    const yes = within(sheet).getByRole('button', { name: t.yes })
    expect(yes).toBeDisabled()
    expect(sheet).not.toHaveTextContent('feature/part-59')
    await userEvent.click(within(sheet).getByRole('button', { name: t.more(30) }))
    expect(sheet).toHaveTextContent('feature/part-59')
    expect(yes).toBeEnabled()
  })

  it('never delays the screen, and a failure of it is told in its sheet', async () => {
    start('', { trust: () => new Promise(() => {}) })
    expect(await screen.findByRole('button', { name: 'Memorize feature/checkout' })).toBeVisible()
  })

  it('says in the sheet what could not be looked at', async () => {
    start('fail=trust')
    await screen.findByRole('heading', { name: 'Projects and branches' })
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.click(await screen.findByRole('option', { name: /See what this project asks for/ }))
    expect(await screen.findByText('the call trust was told to fail')).toBeVisible()
  })

  it('is of the project that is shown', async () => {
    const app = await testApp({ asks: 'asked' })
    await app.trust.loaded.reload()
    app.showTrust()
    app.go({ root: '/home/sam/code/todo-garden' })
    expect(app.overlay).toBeNull()
    expect(app.trust.value).toBeUndefined()
    await waitFor(() => expect(app.trust.value?.status).toBe('nothing'))
  })
})

describe('in the settings', () => {
  it('a yes is listed and taken back', async () => {
    const app = await testApp({ asks: 'given' })
    const end = app.start()
    renderIn(app, Settings)
    const group = (await screen.findByRole('heading', { name: 'What the project asks for' }))
      .parentElement as HTMLElement
    expect(await within(group).findByText(/You said yes to what this project asks for/)).toBeVisible()
    expect(group).toHaveTextContent('3 days ago')
    await userEvent.click(within(group).getByRole('button', { name: t.revoke }))
    const dialog = await screen.findByRole('dialog', { name: t.revokeTitle('corner-shop') })
    await userEvent.click(within(dialog).getByRole('button', { name: t.revokeDo }))
    expect(await within(group).findByText(/asks for more than may count by itself/)).toBeVisible()
    expect(await violations()).toEqual([])
    end()
  })
})

describe('memory that came with the repository', () => {
  it('is marked, counted and held back until the yes', async () => {
    const app = await testApp({ asks: 'asked' })
    const end = app.start()
    const { unmount } = renderIn(app, Memory)
    expect(await screen.findByText(t.unseenTitle(4))).toBeVisible()
    expect((await screen.findAllByText(t.unseen)).length).toBeGreaterThan(0)
    expect(await violations()).toEqual([])
    unmount()
    const projects = renderIn(app, Projects)
    const row = (await screen.findByRole('button', { name: 'Memorize main' })).closest('[role=listitem]')
    expect(row).toHaveTextContent('4 not looked at yet')
    projects.unmount()
    renderIn(app, Injection)
    expect(await screen.findByText(t.heldTitle(4))).toBeVisible()
    await app.trust.give()
    await waitFor(() => expect(screen.queryByText(t.heldTitle(4))).toBeNull())
    end()
  })
})
