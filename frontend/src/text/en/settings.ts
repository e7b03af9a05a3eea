export const settings = {
  title: 'Settings',
  // Until the screen is there.
  coming: 'This screen is being built.',
}
