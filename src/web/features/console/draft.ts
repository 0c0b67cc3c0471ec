import { useEffect, useState } from 'react'

export interface KeptDraft {
  text: string
  setText(text: string): void
  /** It came from an earlier visit of this browser. */
  isFound: boolean
  forget(): void
}

/** Words that survive a closed tab, kept in this browser under the record they belong to until they are sent. */
export function useDraft(record: string): KeptDraft {
  const key = `console-draft:${record}`
  const [text, setText] = useState(() => read(key))
  const [isFound, setFound] = useState(() => read(key) !== '')

  useEffect(() => keep(key, text), [key, text])

  return {
    text,
    setText,
    isFound,
    forget() {
      keep(key, '')
      setText('')
      setFound(false)
    },
  }
}

function keep(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // A browser that keeps nothing still lets one write.
  }
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}
