import { useEffect, useState } from 'react'
import type { CampaignDetail, NewsletterBlock } from '#contract/console/newsletter.ts'
import type { ZodMiniType } from 'zod/mini'
import { validate } from '#web/forms/validate.rules.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { autosaveProblem } from '../forms/autosave-problem.ts'
import { useDraft } from '../forms/use-draft.ts'
import { isEditConflict } from '../shell/save-as-officer.ts'
import { useAction } from '../shell/use-action.ts'

export interface CampaignContent {
  name: string
  subject: string
  snippet: string
  blocks: NewsletterBlock[]
}

const SAVE_AFTER_MS = 2_000

/** The labels of the editor's parts. */
export const CAMPAIGN_PARTS: Record<keyof CampaignContent, string> = {
  name: 'Title',
  subject: 'Subject',
  snippet: 'Preview text',
  blocks: 'Blocks',
}

/** How one kind of campaign is edited and saved. */
export interface CampaignForm<Detail extends CampaignDetail, Content extends CampaignContent> {
  /** Where edits are stored in this browser, with the id behind it. */
  name: string
  /** What is edited, as the server has it. */
  contentOf(detail: Detail): Content
  /** The labels of its parts. */
  parts: Record<keyof Content & string, string>
  /** The body that a save takes. */
  body: ZodMiniType
  save(id: string, body: Content & { version: number }): Promise<Detail>
}

export interface CampaignDraft<Content extends CampaignContent> {
  content: Content
  isChanged: boolean
  /** Everything that a save needs is there, so it saves by itself. */
  isComplete: boolean
  /** A draft from an earlier visit was restored. */
  isRestored: boolean
  /** Why the last save failed, until one succeeds. It is tried again with the next change. */
  problem: string | null
  /** Another officer saved a newer version than what was typed is based on: it saves itself only after the officer chose it. */
  hasConflict: boolean
  /** The newer version is there, and the officer can choose: after a conflict, or with a draft of an earlier visit, which is not applied until then. */
  hasChoice: boolean
  errors: Record<string, string>
  action: ReturnType<typeof useAction>
  change(next: Content): void
  save(): Promise<void>
  keepMine(): void
  discardMine(): void
}

/** A save that failed: it is not sent again as it is. */
interface FailedSave<Content> {
  content: Content
  version: number
  isConflict: boolean
  problem: string
}

/**
 * The editor state of a newsletter or an email to members. Stores edits in this browser immediately and saves them to the server after a pause.
 * Check `isChanged` before sending: the server sends the saved version.
 */
export function useCampaignDraft<Detail extends CampaignDetail, Content extends CampaignContent>(
  detail: Detail,
  form: CampaignForm<Detail, Content>,
  onSaved: (detail: Detail) => void,
): CampaignDraft<Content> {
  const savedOf = (one: Detail) => ({ version: one.version, value: form.contentOf(one) })
  const { id, version } = detail
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failed, setFailed] = useState<FailedSave<Content> | null>(null)
  const action = useAction()
  const isOpen = detail.state === 'draft' && detail.blocks !== null
  // An empty block is not an error while it is being filled in: it waits for its text.
  const isComplete = (content: Content) => Object.keys(validate(form.body, { ...content, version })).length === 0
  const draft = useDraft<Content, number>(`${form.name}:${id}`, {
    saved: savedOf(detail),
    applies: (found) => found.version === version,
    isSame,
    readEarlier,
    ...(isOpen && {
      editor: {
        changedFields: (now: Content, saved: Content) =>
          (Object.keys(form.parts) as (keyof Content & string)[])
            .filter((name) => JSON.stringify(now[name]) !== JSON.stringify(saved[name]))
            .map((name) => form.parts[name]),
        isSaving: action.busy === 'save',
        savesItself: (now: Content) => isComplete(now) && failed === null,
        save: () => void save(),
      },
    }),
  })
  const isChanged = isOpen && draft.isChanged
  const content = isOpen ? draft.value : savedOf(detail).value
  const isFailedVersion = failed?.version === draft.version
  const hasConflict = isChanged && (draft.hasConflict || (isFailedVersion && failed.isConflict))
  const mayAutosave =
    isChanged &&
    isComplete(content) &&
    !hasConflict &&
    !(isFailedVersion && failed.content === content) &&
    action.busy === null

  async function save() {
    setErrors({})
    await action.run(
      'save',
      async () => {
        try {
          const response = await form.save(id, { ...content, version: draft.version })
          setFailed(null)
          draft.applySaved(content, savedOf(response))
          onSaved(response)
        } catch (cause) {
          if (cause instanceof CallFailure) setErrors(cause.fieldErrors ?? {})
          const isConflict = isEditConflict(cause)
          setFailed({ content, version: draft.version, isConflict, problem: autosaveProblem(cause) })
          throw cause
        }
      },
      'Saved.',
    )
  }

  useEffect(() => {
    if (!mayAutosave) return
    const timer = setTimeout(() => void save(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  })

  return {
    content,
    isChanged,
    isComplete: isComplete(content),
    isRestored: isOpen && draft.isRestored,
    problem: failed && failed.problem,
    hasConflict,
    hasChoice: isOpen && (draft.hasConflict || draft.offered !== null),
    errors,
    action,
    change: (next: Content) => draft.change(() => next),
    save,
    keepMine() {
      if (!draft.hasConflict) draft.applyOffered()
      draft.rebase()
      setFailed(null)
      action.showDone('Your version is kept.')
    },
    discardMine() {
      if (draft.hasConflict) draft.discard()
      else draft.dropOffered()
      setFailed(null)
      action.showDone('Changes discarded.')
    },
  }
}

/** Earlier releases called the value `words`. */
function readEarlier(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('version' in stored && 'words' in stored)) return undefined
  return { version: stored.version, value: stored.words }
}

/** Compares as the server does, which trims texts. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one, trimTexts) === JSON.stringify(other, trimTexts)
}

function trimTexts(_: string, part: unknown): unknown {
  if (typeof part === 'string') return part.trim()
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
