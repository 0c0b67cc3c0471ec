import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { readDraft, storeDraft } from './draft-storage.ts'
import { useUnsavedChanges, type UnsavedChanges } from './unsaved-changes.ts'

/** A value and its version, or unsaved input and the saved version it is based on. */
interface Versioned<T, V> {
  value: T
  version: V
}

interface DraftOptions<T, V> {
  /** The saved record as last loaded. */
  saved: Versioned<T, V>
  /** Whether a draft of an earlier visit is applied at once. The others are offered. Default: all are applied. */
  applies?(draft: Versioned<T, V>): boolean
  /** Default: compares as JSON. */
  isSame?(one: T, other: T): boolean
  /** Puts input on top of a draft on offer. Default: the input replaces it. */
  merge?(offered: T, typed: T): T
  /** Reads a stored draft in the shape of an earlier release. */
  readEarlier?(stored: unknown): unknown
  /** An editor of a saved record: the console's top bar shows what is not saved. */
  editor?: DraftEditor<T> | undefined
}

interface DraftEditor<T> extends Pick<UnsavedChanges, 'isSaving' | 'save'> {
  /** The labels of the fields in which two values differ. */
  changedFields(now: T, saved: T): readonly string[]
  /** Whether it saves this value by itself. Default: never. */
  savesItself?(now: T): boolean
}

interface Input<T, V> extends Versioned<T, V> {
  /** The saved value it is based on; null when it is from an earlier visit to another version. */
  base: T | null
  /** Stays although it is what was saved: a newer version waits for a decision. */
  isHeld?: true
}

interface State<T, V> {
  input: Input<T, V> | null
  offered: Versioned<T, V> | null
  isRestored: boolean
  isAhead: boolean
  edition: number
}

/**
 * The unsaved input of an editor, stored in this browser until it is saved, so that a closed tab loses nothing. Without input it shows the saved record,
 * also a newer one. Input on top of an older version is a conflict until `rebase` or `discard`.
 * @param record the key of the draft in local storage
 */
export function useDraft<T, V extends string | number>(record: string, options: DraftOptions<T, V>) {
  const { saved, isSame = isSameJson, merge, editor } = options
  const [state, setState] = useState(() => initialState(record, options))
  const latest = useRef(state)
  const { offered } = state
  const input = effective(state.input)
  const value = input ? input.value : saved.value
  const isChanged = !isSame(value, saved.value)
  const hasConflict = isChanged && input !== null && input.version !== saved.version
  const typed = isChanged && isTyped(input) ? input : null

  const store = useEffectEvent((key: string) => {
    const unsaved = typed && offered && merge ? { ...typed, value: merge(offered.value, typed.value) } : typed
    storeDraft(key, storable(unsaved ?? offered))
  })
  useEffect(() => store(record), [record, typed, offered])

  function isTyped(now: Input<T, V> | null): boolean {
    return now !== null && (now.base === null || !isSame(now.value, now.base))
  }
  /** Input that is back at its base follows the saved record. */
  function effective(now: Input<T, V> | null): Input<T, V> | null {
    return isTyped(now) || now?.isHeld || (now?.base && isSame(now.base, saved.value)) ? now : null
  }
  function update(next: Partial<State<T, V>>) {
    latest.current = { ...latest.current, ...next }
    setState(latest.current)
  }
  /** Shows a value that the officer did not type: fields with a state of their own have to be remounted. */
  function replace(next: Partial<State<T, V>>) {
    update({ isAhead: false, ...next, isRestored: false, edition: latest.current.edition + 1 })
  }

  /** Drops all drafts and shows the saved record. Returns what brings them back, also after the editor is closed. */
  function discard(): () => void {
    const { input: dropped, offered: droppedOffer } = latest.current
    // Not left to the effect: the editor may be closed at the same time.
    storeDraft(record, null)
    replace({ input: null, offered: null })
    return () => {
      storeDraft(record, storable(dropped ?? droppedOffer))
      replace({ input: dropped, offered: droppedOffer })
    }
  }

  const changedFields = (isChanged && editor?.changedFields(value, saved.value)) || []
  useUnsavedChanges(
    editor && changedFields.length > 0
      ? {
          fields: changedFields,
          isSaving: editor.isSaving,
          savesItself: editor.savesItself?.(value) ?? false,
          save: editor.save,
          discard,
        }
      : null,
  )

  return {
    value,
    /** The version to save on: the server refuses the older one of a conflict. */
    version: hasConflict ? input.version : saved.version,
    isChanged,
    hasConflict,
    /** The input is from an earlier visit. */
    isRestored: state.isRestored && isChanged,
    /** There was input during the last save. */
    isAhead: state.isAhead,
    /** A draft of an earlier visit that is not applied. */
    offered: offered && !isSame(offered.value, saved.value) ? offered : null,
    /** Increases whenever the value is replaced. */
    edition: state.edition,
    /** The value including input since the last render. */
    latest: () => effective(latest.current.input)?.value ?? saved.value,
    change(next: (before: T) => T) {
      const on = effective(latest.current.input) ?? { ...saved, base: saved.value }
      update({ input: { version: on.version, base: on.base, value: next(on.value) } })
    },
    /** Applies the draft on offer. */
    applyOffered() {
      if (!offered) return
      const base = offered.version === saved.version ? saved.value : null
      const shown = typed && merge ? merge(offered.value, typed.value) : offered.value
      replace({ input: { ...offered, base, value: shown }, offered: null })
    },
    dropOffered: () => update({ offered: null }),
    discard,
    /** Puts the input on top of the newest version, which saving then overwrites. */
    rebase() {
      const now = latest.current.input
      if (now) update({ input: { ...saved, base: saved.value, value: now.value } })
    },
    /** Keeps showing the value when a newer version is loaded, even if nothing was typed. */
    hold() {
      if (!isTyped(latest.current.input)) update({ input: { ...saved, base: saved.value, isHeld: true } })
    },
    /** After a save: `sent` is no longer unsaved; what was typed meanwhile stays, on top of what was saved. */
    applySaved(sent: T, next: Versioned<T, V>) {
      const now = effective(latest.current.input)
      const isAhead = now !== null && now.value !== sent
      if (isAhead || isSame(sent, next.value))
        update({ input: now && { ...next, base: next.value, value: now.value }, isRestored: false, isAhead })
      else replace({ input: null })
    },
    /** After a save in the background: what is typed stays as it is, also where the server stored it in another form. */
    keepTyping(next: Versioned<T, V>) {
      const now = effective(latest.current.input)
      update({ input: now && { ...next, base: next.value, value: now.value }, offered: null, isRestored: false })
    },
    /** After the record was replaced on purpose: offers the input that this has put aside. */
    setAside({ version }: Versioned<T, V>) {
      const now = latest.current.input
      const isUnsaved = now !== null && isTyped(now) && !isSame(now.value, saved.value)
      replace({ input: null, ...(isUnsaved && { offered: { version, value: now.value } }) })
    },
    /** Stores the input under the key of the record that was just created with it. */
    moveTo(created: string) {
      const { input: now, isAhead, offered: other } = latest.current
      storeDraft(record, storable(other))
      if (isAhead) storeDraft(created, storable(now))
      update({ offered: null })
    },
  }
}

function initialState<T, V>(
  record: string,
  { saved, applies = () => true, isSame = isSameJson, readEarlier }: DraftOptions<T, V>,
): State<T, V> {
  const state = { input: null, offered: null, isRestored: false, isAhead: false, edition: 0 }
  const stored = readDraft(record)
  const found = (isVersioned(stored) ? stored : readEarlier?.(stored)) as Versioned<T, V> | undefined
  if (!found || isSame(found.value, saved.value)) return state
  if (!applies(found)) return { ...state, offered: found }
  return { ...state, input: { ...found, base: found.version === saved.version ? saved.value : null }, isRestored: true }
}

function isVersioned(stored: unknown): boolean {
  return (
    typeof stored === 'object' && stored !== null && 'version' in stored && 'value' in stored && stored.value !== null
  )
}

function storable<T, V>(draft: Versioned<T, V> | null): Versioned<T, V> | null {
  return draft && { version: draft.version, value: draft.value }
}

function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
