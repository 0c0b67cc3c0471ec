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
  insertText(event.currentTarget, markdown)
}

/** Replaces the selection of a focused field so that Ctrl+Z undoes it. */
export function insertText(field: HTMLTextAreaElement, text: string): void {
  // oxlint-disable-next-line typescript/no-deprecated -- the only way to insert text that can be undone
  if (document.execCommand?.(text === '' ? 'delete' : 'insertText', false, text)) return
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
