// Writes projects and their history as Claude Code writes it.

import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const version = '2.1.76'

// id gives the same UUID for the same words: two runs have the same history.
function id(...words) {
  const h = createHash('sha256').update(words.join('\0')).digest('hex')
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-8${h.slice(17, 20)}-${h.slice(20, 32)}`
}

function records(project, session, cwd) {
  const sessionId = id(project.name, session.title)
  const lines = [{ type: 'ai-title', aiTitle: session.title, sessionId }]
  let at = Date.parse(`${session.day}T08:00:00Z`)
  let parentUuid = null
  const say = (type, uuid, message) => {
    at += 47_000
    lines.push({
      parentUuid,
      isSidechain: false,
      userType: 'external',
      entrypoint: 'cli',
      cwd,
      sessionId,
      version,
      gitBranch: session.branch,
      type,
      message,
      timestamp: new Date(at).toISOString(),
      uuid,
    })
    parentUuid = uuid
  }
  session.turns.forEach(([asked, answered], i) => {
    const key = [sessionId, String(i)]
    say('user', id(...key, 'user'), { role: 'user', content: asked })
    say('assistant', id(...key, 'tool'), {
      id: `msg_${id(...key, 'a').slice(0, 8)}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-6',
      content: [{ type: 'tool_use', id: `toolu_${i}`, name: 'Bash', input: { command: 'make check' } }],
    })
    say('user', id(...key, 'result'), {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${i}`, content: 'ok' }],
    })
    say('assistant', id(...key, 'answer'), {
      id: `msg_${id(...key, 'b').slice(0, 8)}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-6',
      content: [{ type: 'text', text: answered }],
      stop_reason: 'end_turn',
    })
  })
  return { sessionId, text: `${lines.map((l) => JSON.stringify(l)).join('\n')}\n` }
}

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

// writeGit makes a folder a repository whose branch is checked out.
function writeGit(root, branches) {
  put(join(root, '.git', 'HEAD'), `ref: refs/heads/${branches[0]}\n`)
  put(join(root, '.git', 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n')
  mkdirSync(join(root, '.git', 'objects'), { recursive: true })
  mkdirSync(join(root, '.git', 'refs', 'heads'), { recursive: true })
}

// writeProject lays a project out below work and its sessions below claude, and
// gives the project's folder.
export function writeProject(project, work, claude) {
  const root = join(work, project.name)
  mkdirSync(root, { recursive: true })
  const real = realpathSync(root)
  for (const [name, text] of Object.entries(project.files)) put(join(root, name), text)
  writeGit(root, [...new Set(project.sessions.map((s) => s.branch))])
  writeTranscripts(project, real, claude)
  return real
}

function writeTranscripts(project, root, claude) {
  for (const session of project.sessions) {
    const { sessionId, text } = records(project, session, root)
    put(join(claude, 'projects', root.replace(/[^A-Za-z0-9]/g, '-'), `${sessionId}.jsonl`), text)
  }
}

// writeSessions adds sessions to a project that was laid out.
export function writeSessions(home, name, sessions) {
  writeTranscripts({ name, sessions }, home.roots[name], home.env.CLAUDE_CONFIG_DIR)
}
