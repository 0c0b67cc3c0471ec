import { useState } from 'react'
import {
  deleteContent,
  getContent,
  NEW_RECORD,
  restoreContent,
  saveContent,
  type ContentRecord,
} from '#contract/console/content.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { useDraft } from '../forms/use-draft.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { isEditConflict } from '../shell/save-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { withValueAt } from './field-values.rules.ts'

type SaveAction = BodyOf<typeof saveContent>['action']

const DONE: Record<SaveAction, string> = {
  draft: 'Saved as a draft. Visitors see no change.',
  publish: 'Published. The change is live.',
  schedule: 'Scheduled.',
}

/** The editor state of a record: value, validation errors and edit conflicts. */
export function useContentEditor(first: ContentRecord, onCreated: (id: string, done: string) => void) {
  const [record, setRecord] = useState(first)
  const [problems, setProblems] = useState<Record<string, string>>({})
  const action = useAction()
  const { kind } = record.kind
  const id = record.id ?? NEW_RECORD
  const draft = useDraft(keyOf(kind, id), { saved: record, applies: () => false })
  const { value, version } = draft

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
    await action.run(
      how,
      async () => {
        try {
          const body = { value, version, action: how, ...(publishAt !== undefined && { publishAt }) }
          const saved = await saveOrLoadConflict(() => callAsOfficer(saveContent, { params: { kind, id }, body }))
          draft.applySaved(value, saved)
          setRecord(saved)
          if (record.id !== null || saved.id === null) return
          // A new record navigates to its own page, which offers what was typed meanwhile as a draft.
          draft.moveTo(keyOf(kind, saved.id))
          onCreated(saved.id, DONE[how])
        } catch (failure) {
          if (failure instanceof CallFailure) setProblems(failure.fieldErrors ?? {})
          throw failure
        }
      },
      DONE[how],
    )
  }

  /** Applies a version that does not include the local input, which is offered as a draft. */
  function replaceRecord(next: ContentRecord) {
    draft.setAside(next)
    setRecord(next)
    setProblems({})
  }

  return {
    record,
    value,
    problems,
    /** The newer version another officer saved. */
    theirs: draft.hasConflict ? record : null,
    hasUnsaved: draft.offered !== null,
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
    remove: () =>
      action.run(
        'delete',
        async () => {
          const query = { version }
          replaceRecord(await saveOrLoadConflict(() => callAsOfficer(deleteContent, { params: { kind, id }, query })))
        },
        'Deleted. You can restore it from its versions.',
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

function keyOf(kind: string, id: string): string {
  return `content:${kind}/${id}`
}

export type ContentEditor = ReturnType<typeof useContentEditor>
