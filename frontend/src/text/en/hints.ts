// What to do about a problem, in the window. The program's own hints serve where
// they name nothing that has to be typed.
export const hints: Record<string, string> = {
  no_model: 'Choose a model, and look at the budget, in the settings.',
  no_key: 'The claude program has its own login. Test it in the settings.',
  key: 'Look at the key in the settings.',
  settings: 'Look at the settings. A file that is damaged was left as it is, to be mended by hand.',
  damaged: 'Memorize the branch again with every turn: it finds again what the history still says.',
  project: 'The folder is gone or can’t be read. Choose another project, or add it from where it is now.',
  full: 'Decide about some of the proposals under Review first. Nothing was lost.',
  changed: 'Look at it as it is now. The versions show what it was before.',
  not_found: 'It may have gone meanwhile: look at the list again.',
  plugin_denied: 'Look under Plug-ins at what it asks for, and approve or enable it there.',
  plugin_paused: 'Look under Plug-ins at what went wrong, and resume it there.',
  plugin_not_found: 'The plug-ins that are there are listed under Plug-ins.',
  not_running: 'Start it at login in the settings, or run the program recollect with: service run.',
  not_installed: 'It can be started at login in the settings.',
  gone: 'Try again in a moment.',
}
