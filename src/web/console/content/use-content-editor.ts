import { useCallback, useEffect, useRef, useState } from 'react'
import {
  deleteContent,
  getContent,
  NEW_RECORD,
  restoreContent,
  saveContent,
  type ContentRecord,
  type ContentValue,
} from '#contract/console/content.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { readDraft, storeDraft } from '../forms/draft-storage.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { withValueAt } from './field-values.rules.ts'

type SaveAction = BodyOf<typeof saveContent>['action']

const DONE: Record<SaveAction, string> = {
  draft: 'Saved as a draft. Visitors see no change.',
  publish: 'Published. The change is live.',
  schedule: 'Scheduled.',
}

/** A draft, with the version it is based on. */
interface Unsaved {
  version: string
  value: ContentValue
}

/** The editor state of a record: value, validation errors and edit conflicts. */
export function useContentEditor(first: ContentRecord, onCreated: (id: string, done: string) => void) {
  const [record, setRecord] = useState(first)
  const [value, setValue] = useState(first.value)
  const [problems, setProblems] = useState<Record<string, string>>({})
  /** The newer version another officer saved. */
  const [theirs, setTheirs] = useState<ContentRecord | null>(null)
  /** Incremented to remount all fields with new values. */
  const [edition, setEdition] = useState(0)
  const action = useAction()
  const { kind } = record.kind
  const id = record.id ?? NEW_RECORD
  const path = `${kind}/${id}`
  const [unsaved, setUnsaved] = useState(() => {
    const kept = readDraft(`content:${path}`) as Partial<Unsaved> | null
    return kept?.value && !isSame(kept.value, first.value) ? (kept as Unsaved) : null
  })
  /** There was input during a save: it stays, on top of the saved version. */
  const [isAhead, setAhead] = useState(false)
  const isTouched = useRef(false)
  const latest = useRef(value)
  const { version } = record

  useEffect(() => {
    latest.current = value
    if (isTouched.current) storeDraft(`content:${path}`, { version, value } satisfies Unsaved)
  }, [path, version, value])

  const change = useCallback((name: string, part: unknown) => {
    isTouched.current = true
    setValue((before) => withValueAt(before, name, part))
    setProblems((before) =>
      Object.fromEntries(Object.entries(before).filter(([path]) => path !== name && !path.startsWith(`${name}.`))),
    )
  }, [])

  function replaceValue(next: ContentValue) {
    setValue(next)
    setProblems({})
    setEdition((before) => before + 1)
  }

  function applyRecord(next: ContentRecord) {
    isTouched.current = false
    storeDraft(`content:${path}`, null)
    setUnsaved(null)
    setTheirs(null)
    setAhead(false)
    setRecord(next)
    replaceValue(next.value)
  }

  /** Applies a version that does not include the local input, which is offered as a draft. */
  function applyAndOfferDraft(next: ContentRecord) {
    const isTyped = isTouched.current && !isSame(latest.current, record.value) && !isSame(latest.current, next.value)
    const mine = isTyped ? { version: next.version, value: latest.current } : unsaved
    applyRecord(next)
    setUnsaved(mine)
    storeDraft(`content:${path}`, mine)
  }

  function applyAndKeepInput(next: ContentRecord) {
    // A new record navigates to its own page, which offers the input as a draft.
    if (record.id === null) {
      storeDraft(`content:${path}`, null)
      storeDraft(`content:${kind}/${next.id}`, { version: next.version, value: latest.current } satisfies Unsaved)
      isTouched.current = false
    }
    setTheirs(null)
    setAhead(true)
    setRecord(next)
  }

  async function saveOrLoadConflict<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (failure) {
      if (failure instanceof CallFailure && failure.code === 'CHANGED_MEANWHILE' && record.id !== null)
        setTheirs(await callAsOfficer(getContent, { params: { kind, id } }))
      throw failure
    }
  }

  async function save(how: SaveAction, publishAt?: string): Promise<void> {
    setProblems({})
    await action.run(
      how,
      async () => {
        try {
          const body = { value, version: record.version, action: how, ...(publishAt !== undefined && { publishAt }) }
          const saved = await saveOrLoadConflict(() => callAsOfficer(saveContent, { params: { kind, id }, body }))
          if (latest.current === value) applyRecord(saved)
          else applyAndKeepInput(saved)
          if (record.id === null && saved.id !== null) onCreated(saved.id, DONE[how])
        } catch (failure) {
          if (failure instanceof CallFailure) setProblems(failure.fieldErrors ?? {})
          throw failure
        }
      },
      DONE[how],
    )
  }

  return {
    record,
    value,
    problems,
    theirs,
    unsaved,
    isAhead,
    edition,
    action,
    change,
    save,
    restore: (number: number) =>
      action.run(
        'restore',
        async () => {
          const body = { number, version: record.version }
          applyAndOfferDraft(
            await saveOrLoadConflict(() => callAsOfficer(restoreContent, { params: { kind, id }, body })),
          )
        },
        'Restored.',
      ),
    remove: () =>
      action.run(
        'delete',
        async () => {
          const query = { version: record.version }
          applyAndOfferDraft(
            await saveOrLoadConflict(() => callAsOfficer(deleteContent, { params: { kind, id }, query })),
          )
        },
        'Deleted. You can restore it from its versions.',
      ),
    /** Keeps the local input, on top of the newer version. */
    keepMine() {
      if (theirs) setRecord(theirs)
      setTheirs(null)
    },
    takeTheirs() {
      if (theirs) applyRecord(theirs)
    },
    takeUnsaved() {
      isTouched.current = true
      setUnsaved(null)
      if (!unsaved) return
      replaceValue(unsaved.value)
      if (unsaved.version === version) return
      // Treat it as a conflict, so that no one's change is overwritten without asking.
      setTheirs(record)
      setRecord({ ...record, version: unsaved.version })
    },
    dropUnsaved() {
      storeDraft(`content:${path}`, null)
      setUnsaved(null)
    },
  }
}

function isSame(one: ContentValue, other: ContentValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export type ContentEditor = ReturnType<typeof useContentEditor>
