export const firstrun = {
  title: 'Welcome to Recollect',
}
