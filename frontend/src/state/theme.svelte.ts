import { keep, kept } from './kept'

export type ThemeChoice = 'system' | 'light' | 'dark'

// Theme is what the person chose, and what follows from it.
export class Theme {
  choice = $state<ThemeChoice>('system')
  #systemDark = $state(false)
  dark = $derived(this.choice === 'dark' || (this.choice === 'system' && this.#systemDark))

  // save is told a new choice, to keep it beyond this window.
  constructor(private save: (choice: ThemeChoice) => void = () => {}) {
    const choice = kept('theme')
    if (choice === 'light' || choice === 'dark') this.choice = choice
    const query = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : undefined
    this.#systemDark = query?.matches ?? false
    query?.addEventListener('change', (e) => {
      this.#systemDark = e.matches
      this.#apply()
    })
    this.#apply()
  }

  choose(choice: ThemeChoice): void {
    this.follow(choice)
    this.save(choice)
  }

  // follow takes over what was chosen elsewhere.
  follow(choice: ThemeChoice): void {
    this.choice = choice
    keep('theme', choice)
    this.#apply()
  }

  #apply(): void {
    document.documentElement.dataset.theme = this.dark ? 'dark' : 'light'
  }
}
