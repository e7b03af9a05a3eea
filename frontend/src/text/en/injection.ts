export const injection = {
  title: 'Injection',
  // Until the screen is there.
  coming: 'This screen is being built.',
}
