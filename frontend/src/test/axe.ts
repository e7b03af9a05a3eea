import axe from 'axe-core'

// violations gives what axe-core finds wrong, one line each; none is []. Colours
// need a real browser and are checked there.
export async function violations(root: Element = document.body): Promise<string[]> {
  const result = await axe.run(root, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  return result.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${v.help}: ${n.html.slice(0, 160)}`))
}
