import { useRef, useState, type KeyboardEvent } from 'react'
import { Icon } from '#web/ui/icon.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ariaDescription, FieldBox, fieldId, type TextAreaProps } from '#web/ui/field.tsx'
import { DocumentLibrary } from '../documents/document-library.tsx'
import { PictureLibrary } from '../pictures/picture-chooser.tsx'
import {
  formatSelection,
  insertPicture,
  linkSelection,
  type MarkdownEdit,
  type TextEdit,
} from './markdown-edits.rules.ts'
import { insertText, pasteAsMarkdown } from './paste-markdown.ts'

type Tool = MarkdownEdit | 'link' | 'picture' | 'document'

const TOOLS: { tool: Tool; label: string; key?: string; d: string }[] = [
  { tool: 'bold', label: 'Bold', key: 'b', d: 'M7 4.5h6a3.75 3.75 0 0 1 0 7.5H7zM7 12h7a3.75 3.75 0 0 1 0 7.5H7z' },
  { tool: 'italic', label: 'Italic', key: 'i', d: 'M10 4.5h7M7 19.5h7M13.5 4.5l-3 15' },
  { tool: 'heading', label: 'Heading', d: 'M6 4.5v15M18 4.5v15M6 12h12' },
  { tool: 'list', label: 'List', d: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01' },
  { tool: 'quote', label: 'Quotation', d: 'M4.5 17c3 0 4.5-1.7 4.5-5V7H4.5v5H9M14 17c3 0 4.5-1.7 4.5-5V7H14v5h4.5' },
  {
    tool: 'link',
    label: 'Link',
    key: 'k',
    d: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  },
  { tool: 'picture', label: 'Image', d: 'M3.5 5h17v14h-17zM3.5 16l5-5 4.5 4.5 3-3 4.5 4M15.5 9.5h.01' },
  { tool: 'document', label: 'Document', d: 'M6 3.5h8l4.5 4.5v12.5H6zM14 3.5V8h4.5M9 12.5h6M9 16.5h6' },
]

/**
 * A text area for Markdown with a toolbar. What a button inserts can be undone like typing.
 * @param forEmails excludes SVG images, which email clients don't show
 */
export function MarkdownField({
  label,
  hint,
  error,
  forEmails = false,
  ...textarea
}: TextAreaProps & { forEmails?: boolean }) {
  const id = fieldId(textarea.name)
  const field = useRef<HTMLTextAreaElement>(null)
  // The selection that a library's choice replaces: its dialog takes the focus.
  const [library, setLibrary] = useState<{ kind: 'picture' | 'document'; start: number; end: number } | null>(null)

  function apply(edit: (whole: string, start: number, end: number) => TextEdit, at?: { start: number; end: number }) {
    const area = field.current
    if (!area) return
    const { start, end } = at ?? { start: area.selectionStart, end: area.selectionEnd }
    const { from, to, text, select } = edit(area.value, start, end)
    area.focus()
    area.setSelectionRange(from, to)
    insertText(area, text)
    area.setSelectionRange(...select)
  }

  function choose(tool: Tool) {
    const area = field.current
    if (!area) return
    if (tool === 'picture' || tool === 'document')
      setLibrary({ kind: tool, start: area.selectionStart, end: area.selectionEnd })
    else if (tool === 'link')
      apply((whole, start, end) => linkSelection(whole, start, end, { label: 'text', address: '' }))
    else apply((whole, start, end) => formatSelection(tool, whole, start, end))
  }

  function press(event: KeyboardEvent) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    const pressed = TOOLS.find(({ key }) => key === event.key.toLowerCase())
    if (!pressed) return
    event.preventDefault()
    // Ctrl K opens the search everywhere else.
    event.stopPropagation()
    event.nativeEvent.stopImmediatePropagation()
    choose(pressed.tool)
  }

  function insert(edit: (whole: string, start: number, end: number) => TextEdit) {
    const at = library
    setLibrary(null)
    // After the dialog has returned the focus.
    if (at) requestAnimationFrame(() => apply(edit, at))
  }

  return (
    <FieldBox id={id} label={label} hint={hint} error={error}>
      <div className="markdown-tools" role="toolbar" aria-label={`Format ${label}`}>
        {TOOLS.map(({ tool, label, key, d }) => (
          <button
            key={tool}
            type="button"
            aria-label={label}
            title={key ? `${label} (Ctrl ${key.toUpperCase()})` : label}
            aria-keyshortcuts={key && `Control+${key.toUpperCase()}`}
            // The selection stays in the text.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(tool)}
          >
            <Icon d={d} strokeWidth={2} />
          </button>
        ))}
      </div>
      <textarea
        {...textarea}
        id={id}
        className="input"
        ref={field}
        onPaste={pasteAsMarkdown}
        onKeyDown={press}
        {...ariaDescription({ id, hint, error })}
      />
      <Dialog
        open={library !== null}
        onClose={() => setLibrary(null)}
        title={library?.kind === 'document' ? 'Link a document' : 'Choose image'}
        width="56rem"
      >
        {library?.kind === 'picture' && (
          <PictureLibrary
            canChoose={({ filename }) => !forEmails || !filename.endsWith('.svg')}
            onChosen={({ picture: { alt, address } }) =>
              insert((whole, start, end) => insertPicture(whole, start, end, { alt, address }))
            }
          />
        )}
        {library?.kind === 'document' && (
          <DocumentLibrary
            onChosen={({ title, address }) =>
              insert((whole, start, end) => linkSelection(whole, start, end, { label: `${title} (PDF)`, address }))
            }
          />
        )}
      </Dialog>
    </FieldBox>
  )
}
