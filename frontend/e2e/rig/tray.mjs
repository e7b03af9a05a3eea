// The tray's menu over the bus, as a panel sees it.

// trayOf gives the menu of the service with a process id.
export function trayOf(session, pid) {
  const call = (method, ...args) =>
    session.run(
      'gdbus',
      [
        'call',
        '--session',
        '--timeout=10',
        `--dest=org.kde.StatusNotifierItem-${pid}-1`,
        '--object-path=/StatusNotifierItem/menu',
        `--method=com.canonical.dbusmenu.${method}`,
        '--',
        ...args,
      ],
      { timeout: 15_000 },
    )
  const menu = async () => entries(await call('GetLayout', '0', '-1', '[]'))
  return {
    menu,
    labels: async () => (await menu()).map((e) => e.label),
    // choose chooses the entry with a label, or one that matches; false: there is
    // none.
    async choose(label) {
      const named = (e) => (label instanceof RegExp ? label.test(e.label) : e.label === label)
      const entry = (await menu()).find((e) => named(e) && e.enabled)
      if (entry) await call('Event', String(entry.id), 'clicked', "<''>", '0')
      return Boolean(entry)
    },
  }
}

// entries reads the layout in the text form of its values. Our own labels hold
// nothing that would have to be quoted.
function entries(layout) {
  const found = []
  for (const [, id, properties] of layout.matchAll(/<\((\d+), \{(.*?)\}, /g)) {
    const label = properties.match(/'label': <'([^']*)'>/)?.[1]
    if (label === undefined) continue
    found.push({
      id: Number(id),
      label: label.replaceAll('__', '_'),
      enabled: !properties.includes("'enabled': <false>"),
      visible: !properties.includes("'visible': <false>"),
    })
  }
  return found
}
