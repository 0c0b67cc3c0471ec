import { useEffect, useState } from 'react'
import {
  newsletterBody,
  saveNewsletter,
  type NewsletterBlock,
  type NewsletterDetail,
} from '#contract/console/newsletter.ts'
import { validate } from '#web/forms/validate.rules.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useDraft } from '../forms/use-draft.ts'
import { useAction } from '../shell/use-action.ts'

export interface CampaignContent {
  name: string
  subject: string
  snippet: string
  blocks: NewsletterBlock[]
}

const SAVE_AFTER_MS = 2_000

/** The labels of the editor's parts. */
const PARTS = [
  ['name', 'Title'],
  ['subject', 'Subject'],
  ['snippet', 'Preview text'],
  ['blocks', 'Blocks'],
] as const satisfies readonly (readonly [keyof CampaignContent, string])[]

/**
 * The editor state of a newsletter. Stores edits in this browser immediately and saves them to the server after a pause.
 * Check `isChanged` before sending: the server sends the saved version.
 */
export function useCampaignDraft(newsletter: NewsletterDetail, onSaved: (newsletter: NewsletterDetail) => void) {
  const { id, version } = newsletter
  const [errors, setErrors] = useState<Record<string, string>>({})
  const action = useAction()
  const isOpen = newsletter.state === 'draft' && newsletter.blocks !== null
  // An empty block is not an error while it is being filled in: it waits for its text.
  const isComplete = (content: CampaignContent) =>
    Object.keys(validate(newsletterBody, { ...content, version })).length === 0
  const draft = useDraft(`newsletter:${id}`, {
    saved: savedOf(newsletter),
    applies: (found) => found.version === version,
    isSame,
    readEarlier,
    ...(isOpen && {
      editor: {
        changedFields: (now: CampaignContent, saved: CampaignContent) =>
          PARTS.filter(([name]) => JSON.stringify(now[name]) !== JSON.stringify(saved[name])).map(([, label]) => label),
        isSaving: action.busy === 'save',
        savesItself: (now: CampaignContent) => isComplete(now) && action.failure === null,
        save: () => void save(),
      },
    }),
  })
  const isChanged = isOpen && draft.isChanged
  const content = isOpen ? draft.value : savedOf(newsletter).value

  async function save() {
    setErrors({})
    await action.run(
      'save',
      async () => {
        try {
          const response = await callAsOfficer(saveNewsletter, { params: { id }, body: { ...content, version } })
          draft.applySaved(content, savedOf(response))
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
    if (!isChanged || !isComplete(content) || action.busy !== null || action.failure) return
    const timer = setTimeout(() => void save(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  })

  return {
    content,
    isChanged,
    /** Everything that a save needs is there, so it saves by itself. */
    isComplete: isComplete(content),
    /** A draft from an earlier visit was restored. */
    isRestored: isOpen && draft.isRestored,
    /** A draft based on an older version. It is not applied until the officer chooses it. */
    older: isOpen ? draft.offered : null,
    errors,
    action,
    change: (next: CampaignContent) => draft.change(() => next),
    save,
    takeOlder() {
      draft.applyOffered()
      draft.rebase()
    },
    dropOlder: draft.dropOffered,
  }
}

export type CampaignDraft = ReturnType<typeof useCampaignDraft>

function savedOf({ name, subject, snippet, blocks, version }: NewsletterDetail): {
  version: number
  value: CampaignContent
} {
  return { version, value: { name, subject, snippet, blocks: blocks ?? [] } }
}

/** Earlier releases called the value `words`. */
function readEarlier(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('version' in stored && 'words' in stored)) return undefined
  return { version: stored.version, value: stored.words }
}

/** Compares as the server does, which trims texts. */
function isSame(one: CampaignContent, other: CampaignContent): boolean {
  return one === other || JSON.stringify(one, trimTexts) === JSON.stringify(other, trimTexts)
}

function trimTexts(_: string, part: unknown): unknown {
  if (typeof part === 'string') return part.trim()
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
