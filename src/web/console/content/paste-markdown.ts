import type { ClipboardEvent } from 'react'
import { isShaped, markdownOfPasted } from './pasted-words.ts'

/** Of a field for Markdown: what is pasted with a shape, as from Word, arrives as Markdown, and Ctrl+Z takes it back. */
export function pasteWords(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const html = event.clipboardData.getData('text/html')
  if (html === '') return
  const markdown = markdownOfPasted(html)
  // Words without a shape the browser pastes as they are.
  if (markdown === '' || !isShaped(markdown, event.clipboardData.getData('text/plain'))) return
  event.preventDefault()
  const field = event.currentTarget
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else writes into a field so that it can be undone
  if (document.execCommand?.('insertText', false, markdown)) return
  field.setRangeText(markdown, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
