import { useCallback, useEffect, useRef, useState } from 'react'
import {
  deleteContent,
  getContent,
  NEW_RECORD,
  restoreContent,
  saveContent,
  type ContentRecord,
  type ContentValue,
} from '#contract/console-content.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { findTyped, keepTyped } from '#web/features/console/kept.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { withPart } from './content-values.rules.ts'

type SaveAction = BodyOf<typeof saveContent>['action']

const DONE: Record<SaveAction, string> = {
  draft: 'Saved as a draft. Visitors see no change.',
  publish: 'Published. Visitors see it within a second.',
  schedule: 'Scheduled. It appears by itself.',
}

/** What was typed and not saved, with the version it was typed on. */
interface Unsaved {
  version: string
  value: ContentValue
}

/** One record under somebody's hands: what is typed, what is wrong with it, and what became of the record meanwhile. */
export function useContentEditor(first: ContentRecord, onCreated: (id: string, done: string) => void) {
  const [record, setRecord] = useState(first)
  const [value, setValue] = useState(first.value)
  const [problems, setProblems] = useState<Record<string, string>>({})
  /** What somebody else saved while this was open. */
  const [theirs, setTheirs] = useState<ContentRecord | null>(null)
  /** Raised whenever all fields take new values at once. */
  const [edition, setEdition] = useState(0)
  const action = useAction()
  const { kind } = record.kind
  const id = record.id ?? NEW_RECORD
  const place = `${kind}/${id}`
  const [unsaved, setUnsaved] = useState(() => {
    const kept = findTyped(`content:${place}`) as Partial<Unsaved> | null
    return kept?.value && !isSame(kept.value, first.value) ? (kept as Unsaved) : null
  })
  /** Something was typed while it was saved: it stays, on top of what was saved. */
  const [isAhead, setAhead] = useState(false)
  const isTouched = useRef(false)
  const latest = useRef(value)
  const { version } = record

  useEffect(() => {
    latest.current = value
    if (isTouched.current) keepTyped(`content:${place}`, { version, value } satisfies Unsaved)
  }, [place, version, value])

  const change = useCallback((name: string, part: unknown) => {
    isTouched.current = true
    setValue((before) => withPart(before, name, part))
    setProblems((before) =>
      Object.fromEntries(Object.entries(before).filter(([path]) => path !== name && !path.startsWith(`${name}.`))),
    )
  }, [])

  function takeOver(next: ContentValue) {
    setValue(next)
    setProblems({})
    setEdition((before) => before + 1)
  }

  function accept(next: ContentRecord) {
    isTouched.current = false
    keepTyped(`content:${place}`, null)
    setUnsaved(null)
    setTheirs(null)
    setAhead(false)
    setRecord(next)
    takeOver(next.value)
  }

  /** Takes over a version that was not made of what is typed here: that is offered, and would go on top of it. */
  function acceptBeside(next: ContentRecord) {
    const isTyped = isTouched.current && !isSame(latest.current, record.value) && !isSame(latest.current, next.value)
    const mine = isTyped ? { version: next.version, value: latest.current } : unsaved
    accept(next)
    setUnsaved(mine)
    keepTyped(`content:${place}`, mine)
  }

  function acceptBehind(next: ContentRecord) {
    // Of a record that was new the page is another one: it offers what was typed meanwhile.
    if (record.id === null) {
      keepTyped(`content:${place}`, null)
      keepTyped(`content:${kind}/${next.id}`, { version: next.version, value: latest.current } satisfies Unsaved)
      isTouched.current = false
    }
    setTheirs(null)
    setAhead(true)
    setRecord(next)
  }

  async function heedOthers<T>(act: () => Promise<T>): Promise<T> {
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
          const saved = await heedOthers(() => callAsOfficer(saveContent, { params: { kind, id }, body }))
          if (latest.current === value) accept(saved)
          else acceptBehind(saved)
          if (record.id === null && saved.id !== null) onCreated(saved.id, DONE[how])
        } catch (failure) {
          if (failure instanceof CallFailure) setProblems(failure.errors ?? {})
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
          acceptBeside(await heedOthers(() => callAsOfficer(restoreContent, { params: { kind, id }, body })))
        },
        'Brought back.',
      ),
    remove: () =>
      action.run(
        'delete',
        async () => {
          const query = { version: record.version }
          acceptBeside(await heedOthers(() => callAsOfficer(deleteContent, { params: { kind, id }, query })))
        },
        'Taken off the site. Its versions can bring it back.',
      ),
    /** Goes on with what was typed, on top of what somebody else saved. */
    keepMine() {
      if (theirs) setRecord(theirs)
      setTheirs(null)
    },
    takeTheirs() {
      if (theirs) accept(theirs)
    },
    takeUnsaved() {
      isTouched.current = true
      setUnsaved(null)
      if (!unsaved) return
      takeOver(unsaved.value)
      if (unsaved.version === version) return
      // As if it had stayed open here: the server would refuse it, and so nobody's change is undone unasked.
      setTheirs(record)
      setRecord({ ...record, version: unsaved.version })
    },
    dropUnsaved() {
      keepTyped(`content:${place}`, null)
      setUnsaved(null)
    },
  }
}

function isSame(one: ContentValue, other: ContentValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export type ContentEditor = ReturnType<typeof useContentEditor>
