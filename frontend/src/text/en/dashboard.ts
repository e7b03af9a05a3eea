export const dashboard = {
  title: 'Dashboard',
  // Until the screen is there.
  coming: 'This screen is being built.',
}
