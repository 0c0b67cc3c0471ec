import { useEffect, useState } from 'react'
import { saveNewsletter, type NewsletterBlock, type NewsletterDetail } from '#contract/console/newsletter.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { readDraft, storeDraft } from '../forms/draft-storage.ts'
import { useAction } from '../shell/use-action.ts'

export interface NewsletterContent {
  name: string
  subject: string
  snippet: string
  blocks: NewsletterBlock[]
}

interface Typed {
  content: NewsletterContent
  /** The saved version these edits are based on. */
  on: NewsletterContent
}

/** What `storeDraft` keeps in this browser. */
interface Kept {
  version: number
  words: NewsletterContent
}

const SAVE_AFTER_MS = 20_000

/**
 * The editor state of a newsletter. Stores edits in this browser immediately and saves them to the server after a pause.
 * Check `isChanged` before sending: the server sends the saved version.
 */
export function useNewsletterDraft(newsletter: NewsletterDetail, onSaved: (newsletter: NewsletterDetail) => void) {
  const { id, version } = newsletter
  const record = `newsletter:${id}`
  const saved = contentOf(newsletter)
  const isOpen = newsletter.state === 'draft' && newsletter.blocks !== null
  const [found] = useState(() => {
    const kept = isOpen ? (readDraft(record) as Kept | null) : null
    return kept && !isSame(kept.words, saved) ? kept : null
  })
  const isFresh = found?.version === version
  const [typed, setTyped] = useState<Typed | null>(() =>
    found && found.version === version ? { content: found.words, on: saved } : null,
  )
  /** A draft based on an older version. It is not applied until the officer chooses it. */
  const [older, setOlder] = useState(isFresh ? null : found)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const action = useAction()

  // Without local edits, show the last loaded version.
  const isMine = typed !== null && (isSame(typed.on, saved) || !isSame(typed.content, typed.on))
  const content = isMine ? typed.content : saved
  const isChanged = isOpen && !isSame(content, saved)
  const unsaved = isChanged ? content : null

  useEffect(() => {
    storeDraft(record, unsaved ? { version, words: unsaved } : older)
  }, [record, version, unsaved, older])

  async function save() {
    setErrors({})
    await action.run(
      'save',
      async () => {
        try {
          const response = await callAsOfficer(saveNewsletter, { params: { id }, body: { ...content, version } })
          const on = contentOf(response)
          // Keep trailing spaces on screen, since the officer may still be typing; show any other change the server made.
          setTyped((now) =>
            now && (now.content !== content || isSame(content, on)) ? { content: now.content, on } : null,
          )
          onSaved(response)
        } catch (cause) {
          if (cause instanceof CallFailure) setErrors(cause.fieldErrors ?? {})
          throw cause
        }
      },
      'Saved.',
    )
  }

  useEffect(() => {
    if (!isChanged || action.busy !== null || action.failure) return
    const timer = setTimeout(() => void save(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  })

  function change(next: NewsletterContent) {
    setTyped({ content: next, on: saved })
  }

  return {
    content,
    isChanged,
    /** A draft from an earlier visit was restored. */
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

function contentOf({ name, subject, snippet, blocks }: NewsletterDetail): NewsletterContent {
  return { name, subject, snippet, blocks: blocks ?? [] }
}

/** Compares as the server does, which trims texts. */
function isSame(one: NewsletterContent, other: NewsletterContent): boolean {
  return one === other || JSON.stringify(one, trimTexts) === JSON.stringify(other, trimTexts)
}

function trimTexts(_: string, part: unknown): unknown {
  if (typeof part === 'string') return part.trim()
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
