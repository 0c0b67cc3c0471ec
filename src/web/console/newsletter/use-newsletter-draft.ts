import { useEffect, useState } from 'react'
import { saveNewsletter, type NewsletterBlock, type NewsletterDetail } from '#contract/console-newsletter.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsOfficer } from './console-door.ts'
import { findTyped, keepTyped } from './kept.ts'
import { useAction } from './use-action.ts'

export interface NewsletterWords {
  name: string
  subject: string
  snippet: string
  blocks: NewsletterBlock[]
}

interface Typed {
  words: NewsletterWords
  /** What was saved when these were typed. */
  on: NewsletterWords
}

interface Kept {
  version: number
  words: NewsletterWords
}

const SAVE_AFTER_MS = 20_000

/**
 * The words of a newsletter under an officer's hands. What is typed is kept in this browser at once, and saved by itself after a pause.
 * Whoever sends it asks `isChanged` first: the server sends what is saved.
 */
export function useNewsletterDraft(newsletter: NewsletterDetail, onSaved: (newsletter: NewsletterDetail) => void) {
  const { id, version } = newsletter
  const record = `newsletter:${id}`
  const saved = wordsOf(newsletter)
  const isOpen = newsletter.state === 'draft' && newsletter.blocks !== null
  const [found] = useState(() => {
    const kept = isOpen ? (findTyped(record) as Kept | null) : null
    return kept && !isSame(kept.words, saved) ? kept : null
  })
  const isFresh = found?.version === version
  const [typed, setTyped] = useState<Typed | null>(() =>
    found && found.version === version ? { words: found.words, on: saved } : null,
  )
  /** Begun here before somebody else saved: nothing becomes of it until its officer says so. */
  const [older, setOlder] = useState(isFresh ? null : found)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const action = useAction()

  // Without a change of one's own, what was loaded last is shown.
  const isMine = typed !== null && (isSame(typed.on, saved) || !isSame(typed.words, typed.on))
  const words = isMine ? typed.words : saved
  const isChanged = isOpen && !isSame(words, saved)
  const unsaved = isChanged ? words : null

  useEffect(() => {
    keepTyped(record, unsaved ? { version, words: unsaved } : older)
  }, [record, version, unsaved, older])

  async function save() {
    setErrors({})
    await action.run(
      'save',
      async () => {
        try {
          const answer = await callAsOfficer(saveNewsletter, { params: { id }, body: { ...words, version } })
          const on = wordsOf(answer)
          // Spaces at the ends stay on the screen: the next word may be on its way. Whatever else the server made of it is shown.
          setTyped((now) => (now && (now.words !== words || isSame(words, on)) ? { words: now.words, on } : null))
          onSaved(answer)
        } catch (cause) {
          if (cause instanceof CallFailure) setErrors(cause.errors ?? {})
          throw cause
        }
      },
      'It is saved.',
    )
  }

  useEffect(() => {
    if (!isChanged || action.busy !== null || action.failure) return
    const timer = setTimeout(() => void save(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  })

  function change(next: NewsletterWords) {
    setTyped({ words: next, on: saved })
  }

  return {
    words,
    isChanged,
    /** It was filled with what was typed at an earlier visit. */
    isFound: isFresh && isChanged,
    older,
    errors,
    action,
    change,
    save,
    takeOlder() {
      if (older) change(older.words)
      setOlder(null)
    },
    dropOlder: () => setOlder(null),
  }
}

export type NewsletterDraft = ReturnType<typeof useNewsletterDraft>

function wordsOf({ name, subject, snippet, blocks }: NewsletterDetail): NewsletterWords {
  return { name, subject, snippet, blocks: blocks ?? [] }
}

/** As the server compares: without the spaces at the ends, which it takes off. */
function isSame(one: NewsletterWords, other: NewsletterWords): boolean {
  return one === other || JSON.stringify(one, withoutEnds) === JSON.stringify(other, withoutEnds)
}

function withoutEnds(_: string, part: unknown): unknown {
  if (typeof part === 'string') return part.trim()
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
