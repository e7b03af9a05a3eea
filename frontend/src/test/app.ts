import { render } from '@testing-library/svelte'
import type { Component } from 'svelte'
import type { Bridge } from '../bridge'
import { fakeBridge } from '../bridge/fake'
import { App, appContext } from '../state/app.svelte'

// testApp makes an app on the fake bridge, with the first project and its
// current branch chosen, and what the shell shows loaded. options are those of
// the fake: { fail: 'memory' }, { big: '' }, { first: '' }; over replaces some
// of its calls.
export async function testApp(
  options: Record<string, string> = {},
  over: Partial<Bridge> = {},
): Promise<App> {
  const bridge = Object.assign(fakeBridge(new URLSearchParams({ fast: '', ...options })), over)
  const app = new App(bridge)
  await app.projects.reload()
  app.route.go({ root: app.projects.value?.[0]?.root ?? '' })
  await app.refresh()
  app.route.go({ branch: app.branches.value?.find((b) => b.current)?.name ?? null })
  return app
}

// renderIn renders a component that uses the app.
export function renderIn(
  app: App,
  // biome-ignore lint/suspicious/noExplicitAny: any component may be rendered
  component: Component<any>,
  props: Record<string, unknown> = {},
) {
  return render(component, { props, context: appContext(app) })
}
