import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  deleteContent,
  getContent,
  NEW_RECORD,
  restoreContent,
  saveContent,
  unpublishContent,
  valueAt,
  type ContentRecord,
  type ContentValue,
} from '#contract/console/content.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { TEXT_GAP } from '#contract/setup/site-setup.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { useDraft } from '../forms/use-draft.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { isEditConflict } from '../shell/save-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { consoleContentUrl } from './content-url.ts'
import { textOf, withValueAt } from './field-values.rules.ts'
import { useAutosave } from './use-autosave.ts'

type SaveAction = BodyOf<typeof saveContent>['action']

const DONE: Record<SaveAction, string> = {
  draft: 'Draft saved. Visitors see no change.',
  publish: 'Published. The change is live.',
  schedule: 'Scheduled.',
}

/** A draft is saved this long after the last key. */
const AUTOSAVE_AFTER_MS = 2_000

/** The editor state of a record: value, validation errors, edit conflicts, and the draft that saves itself. */
export function useContentEditor(
  first: ContentRecord,
  {
    savesItself = true,
    onCreated,
  }: {
    /** Whether it saves drafts while the officer types. */
    savesItself?: boolean
    onCreated(id: string, done: string): void
  },
) {
  const [record, setShown] = useState(first)
  // What the server has, also during a save in the background.
  const latest = useRef(first)
  const [problems, setProblems] = useState<Record<string, string>>({})
  const action = useAction()
  const { kind } = record.kind
  function setRecord(next: ContentRecord) {
    latest.current = next
    setShown(next)
  }
  const id = record.id ?? NEW_RECORD
  const autosave = useAutosave()
  const draft = useDraft(keyOf(kind, id), {
    saved: record,
    applies: () => false,
    editor: {
      changedFields: (now, saved) =>
        record.fields
          .filter(({ name }) => JSON.stringify(valueAt(now, name)) !== JSON.stringify(valueAt(saved, name)))
          .map(({ label }) => label),
      isSaving: action.busy !== null,
      savesItself: () => savesItself && autosave.problem === null,
      save: () => void save(savesItself ? 'draft' : 'publish'),
    },
  })
  const { value, version } = draft

  const { isChanged, hasConflict } = draft
  const mayAutosave = savesItself && isChanged && !hasConflict && draft.offered === null && action.busy === null
  const saveDraft = useEffectEvent(() => void saveAutomatically())
  useEffect(() => {
    if (!mayAutosave) return
    const timer = setTimeout(saveDraft, AUTOSAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [value, mayAutosave])

  async function saveAutomatically(): Promise<void> {
    const sent = draft.latest()
    // A new record gets its id from its title, so the title has to be complete.
    const isUntitled = record.id === null && (textOf(sent['title']) === '' || isTypingTitle())
    if (isUntitled || autosave.isSaving() || autosave.wasSent(sent)) return
    const body = { value: sent, version, action: 'draft' as const, isAutomatic: true }
    await autosave.run(sent, async () => {
      const saved = await saveOrLoadConflict(() => callAsOfficer(saveContent, { params: { kind, id }, body }))
      draft.keepTyping(saved)
      setRecord(saved)
      if (record.id !== null || saved.id === null) return
      draft.moveTo(keyOf(kind, saved.id))
      // Not by the router, which would load the page again while the officer types.
      history.replaceState(history.state, '', consoleContentUrl(kind, saved.id))
    })
  }

  async function saveOrLoadConflict<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (failure) {
      if (isEditConflict(failure) && record.id !== null) {
        draft.hold()
        setRecord(await callAsOfficer(getContent, { params: { kind, id } }))
      }
      throw failure
    }
  }

  async function save(how: SaveAction, publishAt?: string): Promise<void> {
    setProblems({})
    const done = doneText(how, draft.latest())
    await action.run(
      how,
      async () => {
        // A new record must not be made twice.
        await autosave.finished()
        const current = latest.current
        const savedId = current.id ?? NEW_RECORD
        try {
          const body = {
            value: draft.latest(),
            version: draft.hasConflict ? version : current.version,
            action: how,
            ...(publishAt !== undefined && { publishAt }),
          }
          const saved = await saveOrLoadConflict(() =>
            callAsOfficer(saveContent, { params: { kind, id: savedId }, body }),
          )
          draft.applySaved(body.value, saved)
          setRecord(saved)
          autosave.clear()
          if (current.id !== null || saved.id === null) return
          // A new record navigates to its own page, which offers what was typed meanwhile as a draft.
          draft.moveTo(keyOf(kind, saved.id))
          onCreated(saved.id, done)
        } catch (failure) {
          if (failure instanceof CallFailure) setProblems(failure.fieldErrors ?? {})
          throw failure
        }
      },
      done,
    )
  }

  /** Applies a version that does not include the local input, which is offered as a draft. */
  function replaceRecord(next: ContentRecord) {
    draft.setAside(next)
    setRecord(next)
    autosave.clear()
    setProblems({})
  }

  return {
    record,
    value,
    problems,
    /** The newer version another officer saved. */
    theirs: draft.hasConflict ? record : null,
    hasUnsaved: draft.offered !== null,
    isChanged,
    /** When the draft saved itself last, as a time of day, or why it could not. */
    autosave: { savedAt: autosave.savedAt, problem: autosave.problem },
    isAhead: draft.isAhead,
    edition: draft.edition,
    action,
    change(name: string, part: unknown) {
      draft.change((before) => withValueAt(before, name, part))
      setProblems((before) =>
        Object.fromEntries(Object.entries(before).filter(([path]) => path !== name && !path.startsWith(`${name}.`))),
      )
    },
    save,
    restore: (number: number) =>
      action.run(
        'restore',
        async () => {
          const body = { number, version }
          replaceRecord(await saveOrLoadConflict(() => callAsOfficer(restoreContent, { params: { kind, id }, body })))
        },
        'Restored.',
      ),
    unpublish: () =>
      action.run(
        'unpublish',
        async () => {
          const body = { version }
          const act = () => callAsOfficer(unpublishContent, { params: { kind, id }, body })
          replaceRecord(await saveOrLoadConflict(act))
        },
        'Unpublished. It stays here as a draft.',
      ),
    remove: () =>
      action.run(
        'delete',
        async () => {
          const query = { version }
          replaceRecord(await saveOrLoadConflict(() => callAsOfficer(deleteContent, { params: { kind, id }, query })))
        },
        'Deleted. You can restore it from its history.',
      ),
    /** Keeps the local input, on top of the newer version. */
    keepMine: draft.rebase,
    takeTheirs() {
      draft.discard()
      setProblems({})
    },
    /** Input on top of an older version is a conflict: no one's change is overwritten without asking. */
    takeUnsaved() {
      draft.applyOffered()
      setProblems({})
    },
    dropUnsaved: draft.dropOffered,
  }
}

/** What a published text still lacks is said at once: the site is not listed by search engines until then. */
function doneText(how: SaveAction, value: ContentValue): string {
  const hasGap = how === 'publish' && JSON.stringify(value).includes(TEXT_GAP)
  return hasGap ? `Published. “${TEXT_GAP}” is still in it.` : DONE[how]
}

function isTypingTitle(): boolean {
  return document.activeElement instanceof HTMLInputElement && document.activeElement.name === 'title'
}

function keyOf(kind: string, id: string): string {
  return `content:${kind}/${id}`
}

export type ContentEditor = ReturnType<typeof useContentEditor>
