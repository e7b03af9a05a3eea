// What is no git branch has a name in files and in the bridge that people don't read.
const without = 'no branch'
const detached = 'detached HEAD'

// label is a branch's name where it stands by itself.
export function label(branch: string): string {
  return branch === without ? 'without a branch' : branch
}

// subject is what a memory or a block is of, within a sentence.
export function subject(branch: string): string {
  if (branch === without) return 'what was said without a branch'
  if (branch === detached) return 'what was said on a detached HEAD'
  return branch
}
