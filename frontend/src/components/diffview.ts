import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { text } from '../text'

export interface DiffOptions {
  before: string
  after: string
  labels: { before: string; after: string }
  host: HTMLElement
}

const colors = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: 'var(--normal)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.93em', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: 'none' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--bad-soft) !important' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--good-soft) !important' },
  '&.cm-merge-a .cm-changedText': { background: 'var(--bad-mark)' },
  '&.cm-merge-b .cm-changedText': { background: 'var(--good-mark)' },
  '.cm-collapsedLines': {
    color: 'var(--muted)',
    background: 'var(--sunken)',
    padding: '4px 12px',
    cursor: 'pointer',
    '&::before, &::after': { content: '"⋯"' },
  },
  '.cm-specialChar': { color: 'var(--warn)', backgroundColor: 'var(--warn-soft)' },
})

// showDiff draws two texts beside each other, read only, and gives what takes
// them away. It stands in a shadow root: there CodeMirror keeps its styles in
// constructed style sheets, which the content security policy allows.
export function showDiff({ before, after, labels, host }: DiffOptions): () => void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  root.replaceChildren()
  const parent = document.createElement('div')
  root.append(parent)
  const side = (doc: string, label: string) => ({
    doc,
    extensions: [
      lineNumbers(),
      highlightSpecialChars({
        // As Untrusted does: turning marks, and characters that are not seen.
        addSpecialChars: /[\u061c\u115f\u1160\u180e\u2060-\u2065\u206a-\u206f\u3164]|[\u{e0000}-\u{e007f}]/u,
      }),
      EditorState.phrases.of({ '$ unchanged lines': text.general.unchangedLines }),
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-readonly': 'true',
        tabindex: '0',
        role: 'textbox',
      }),
      keymap.of([]),
      colors,
    ],
  })
  const view = new MergeView({
    a: side(before, labels.before),
    b: side(after, labels.after),
    parent,
    root,
    gutter: true,
    highlightChanges: true,
    collapseUnchanged: { margin: 3, minSize: 6 },
    diffConfig: { scanLimit: 1000, timeout: 200 },
  })
  return () => {
    view.destroy()
    root.replaceChildren()
  }
}
