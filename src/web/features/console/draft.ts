import { useEffect, useState } from 'react'
import { findTyped, keepTyped } from './kept.ts'

export interface KeptDraft {
  text: string
  setText(text: string): void
  /** It came from an earlier visit of this browser. */
  isFound: boolean
  forget(): void
}

/** Words that survive a closed tab, kept in this browser under the record they belong to until they are sent. */
export function useDraft(record: string): KeptDraft {
  const [text, setText] = useState(() => textOf(record))
  const [isFound, setFound] = useState(() => textOf(record) !== '')

  useEffect(() => keepTyped(record, text || null), [record, text])

  return {
    text,
    setText,
    isFound,
    forget() {
      keepTyped(record, null)
      setText('')
      setFound(false)
    },
  }
}

function textOf(record: string): string {
  const typed = findTyped(record)
  return typeof typed === 'string' ? typed : ''
}
