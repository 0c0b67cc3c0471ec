import { useState } from 'react'

export interface Draft {
  /** What was typed before the tab was closed, by field. */
  values: Record<string, string>
  keep(form: HTMLFormElement): void
  forget(): void
}

/** What is typed into a form, kept on this device under the name of its record until it is sent. */
export function useDraft(record: string): Draft {
  const key = `console draft: ${record}`
  const [values] = useState(() => read(key))
  return {
    values,
    keep(form) {
      const typed = Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === 'string'))
      try {
        localStorage.setItem(key, JSON.stringify(typed))
      } catch {
        // A device without room keeps no drafts; the form works all the same.
      }
    },
    forget: () => localStorage.removeItem(key),
  }
}

function read(key: string): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}
