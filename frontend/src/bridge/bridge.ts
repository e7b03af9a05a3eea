import type * as t from './types'

// Bridge is everything that a screen may ask of the program. A call that fails
// rejects with a BridgeProblem. root is a project's folder, branch an exact name.
// Nothing here takes longer than a moment except what returns a Job's id.
export interface Bridge {
  // Projects and branches
  projects(): Promise<t.Project[]> // the one worked on last first
  addProject(): Promise<t.Project | null> // asks for a folder; null: none chosen
  branches(root: string): Promise<t.Branch[]>
  firstRun(): Promise<t.FirstRun>
  endFirstRun(): Promise<void>
  asked(): Promise<t.Asked> // what the program was to show when it was started, once; then come events
  status(root: string): Promise<t.Status> // root "": of no project

  // Work that takes long: the id of a job
  memorize(root: string, request: t.MemorizeRequest): Promise<number>
  try(root: string, branch: string, extractor: string): Promise<number>
  approvePlugin(root: string, id: string, sha256: string): Promise<number>
  runMaintenance(root: string, kind: 'nightly' | 'weekly' | 'monthly' | 'full'): Promise<number>
  jobs(): Promise<t.Job[]> // those that are not dismissed, oldest first
  cancelJob(id: number): Promise<void>
  dismissJob(id: number): Promise<void>

  // Memory
  memory(root: string, branch: string): Promise<t.Memory>
  addItem(root: string, branch: string, section: string, content: string): Promise<t.Edited>
  editItem(root: string, branch: string, id: string, content: string, was: string): Promise<t.Edited> // was: the content that the person saw; code "changed" if it is another
  moveItem(root: string, branch: string, id: string, section: string, before: string): Promise<t.Edited> // before: id, "": at the end
  removeItems(root: string, branch: string, ids: string[]): Promise<t.Edited>
  pinItem(root: string, branch: string, id: string, pinned: boolean): Promise<t.Edited>
  undoEdit(root: string, branch: string, undo: string): Promise<t.Edited> // code "changed" if the memory is another since
  clearMemory(root: string, branch: string): Promise<t.Edited>
  sourceOf(root: string, branch: string, id: string): Promise<t.SourceOf>
  sessionTurns(root: string, session: string, from: number, count: number): Promise<t.SessionTurns>
  versions(root: string, branch: string): Promise<t.Version[]> // newest first
  versionText(root: string, branch: string, version: string): Promise<string>
  restore(root: string, branch: string, version: string): Promise<t.Edited>

  // Review
  review(root: string): Promise<t.Proposal[]>
  decide(root: string, decisions: t.Decision[]): Promise<t.Reviewed>
  undoReview(root: string, undo: string): Promise<t.Reviewed>

  // Conflicts
  conflicts(root: string, all: boolean): Promise<t.Conflict[]>
  resolveConflict(root: string, id: string, decision: t.ConflictDecision, note: string): Promise<t.Resolved>

  // Injection
  previewInjection(root: string, branch: string): Promise<t.Injection> // "": of what is checked out
  // targets by name; none: those of the settings. other is the person's yes to a branch that is not checked out; without it code "other_branch"
  inject(root: string, branch: string, targets: string[], remove: boolean, other: boolean): Promise<t.Injection>

  // What came with a project and waits for the person's yes
  trust(root: string): Promise<t.Trust>
  giveTrust(root: string, digest: string, kinds: t.ClaimKind[]): Promise<t.Trust> // none: all kinds; code "changed" if it asks for something else by now
  revokeTrust(root: string): Promise<t.Trust>

  // Plug-ins
  plugins(root: string): Promise<t.Plugins>
  addPlugin(root: string): Promise<t.Plugin | null> // asks for a file; null: none chosen
  enablePlugin(root: string, id: string, enabled: boolean): Promise<t.Plugin>
  usePlugin(root: string, id: string, role: string, use: boolean): Promise<t.Plugin> // in this project
  configurePlugin(root: string, id: string, config: unknown): Promise<t.Plugin>
  resumePlugin(root: string, id: string): Promise<t.Plugin>
  pluginUses(root: string, id: string): Promise<t.PluginUse[]> // of all projects that are known
  removePlugin(root: string, id: string): Promise<void>
  pluginLog(root: string, id: string): Promise<t.LogLine[]> // of its last calls, newest last

  // Dashboard
  stats(root: string): Promise<t.Stats>

  // Settings
  settings(root: string): Promise<t.Setting[]>
  setSetting(root: string, key: string, value: unknown, user: boolean): Promise<t.Setting[]> // null: take it out
  keyStatus(provider: string): Promise<t.KeyStatus>
  setKey(provider: string, key: string): Promise<t.KeyStatus>
  deleteKey(provider: string): Promise<t.KeyStatus>
  testModel(root: string): Promise<t.ModelTest>
  modelWays(root: string): Promise<t.ModelWays> // takes some seconds where there is much history
  modelPrices(provider: string, model: string): Promise<t.ModelPrices> // model "": the provider's default
  chooseModel(root: string, way: string, model: string, address: string): Promise<t.ChosenModel> // for all projects; model, address "": found by itself
  folders(): Promise<t.Folders>
  openFolder(name: 'config' | 'data' | 'cache' | 'project', root: string): Promise<void>
  autostart(): Promise<t.Autostart>
  setAutostart(on: boolean): Promise<t.Autostart>
  pauseService(paused: boolean): Promise<t.Status>

  // Returns what ends the subscription.
  on<E extends keyof t.Events>(event: E, handle: (data: t.Events[E]) => void): () => void
}
