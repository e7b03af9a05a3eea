export const plugins = {
  title: 'Plug-ins',
  // Until the screen is there.
  coming: 'This screen is being built.',
}
