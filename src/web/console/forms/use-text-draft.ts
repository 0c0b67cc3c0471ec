import { useEffect, useState } from 'react'
import { readDraft, storeDraft } from './draft-storage.ts'

export interface TextDraft {
  text: string
  setText(text: string): void
  /** The draft was restored from an earlier visit. */
  isRestored: boolean
  discard(): void
}

/** A text draft in local storage, keyed by record, that survives a closed tab until it is sent. */
export function useTextDraft(record: string): TextDraft {
  const [text, setText] = useState(() => readTextDraft(record))
  const [isFound, setFound] = useState(() => readTextDraft(record) !== '')

  useEffect(() => storeDraft(record, text || null), [record, text])

  return {
    text,
    setText,
    isRestored: isFound,
    discard() {
      storeDraft(record, null)
      setText('')
      setFound(false)
    },
  }
}

function readTextDraft(record: string): string {
  const typed = readDraft(record)
  return typeof typed === 'string' ? typed : ''
}
