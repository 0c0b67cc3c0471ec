import type { ClipboardEvent } from 'react'
import { hasFormatting, htmlToMarkdown } from './html-to-markdown.ts'

/** Converts formatted text pasted into a Markdown field, as from Word, to Markdown. Ctrl+Z undoes it. */
export function pasteAsMarkdown(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const html = event.clipboardData.getData('text/html')
  if (html === '') return
  const markdown = htmlToMarkdown(html)
  // The browser pastes unformatted text itself.
  if (markdown === '' || !hasFormatting(markdown, event.clipboardData.getData('text/plain'))) return
  event.preventDefault()
  const field = event.currentTarget
  // oxlint-disable-next-line typescript/no-deprecated -- the only way to insert text that can be undone
  if (document.execCommand?.('insertText', false, markdown)) return
  field.setRangeText(markdown, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
