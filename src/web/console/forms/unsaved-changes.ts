import { useEffect, useEffectEvent, useId, useRef, useSyncExternalStore } from 'react'

/** What an editor on the page has not saved. */
export interface UnsavedChanges {
  /** The labels of the changed fields. */
  fields: readonly string[]
  isSaving: boolean
  /** It saves by itself in a moment: the top bar shows nothing. */
  savesItself: boolean
  save(): void
  /** Shows the saved record again. Returns what brings the changes back. */
  discard(): () => void
}

let unsaved: ReadonlyMap<string, UnsavedChanges> = new Map()
const listeners = new Set<() => void>()

function setUnsaved(editor: string, changes: UnsavedChanges | null): void {
  const next = new Map(unsaved)
  if (changes) next.set(editor, changes)
  else next.delete(editor)
  unsaved = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The unsaved changes of all editors on the page, by editor. */
export function useAllUnsavedChanges(): ReadonlyMap<string, UnsavedChanges> {
  return useSyncExternalStore(
    subscribe,
    () => unsaved,
    () => unsaved,
  )
}

/** Shows an editor's changes in the console's top bar, and saves them with Ctrl S. Null: there are none. */
export function useUnsavedChanges(changes: UnsavedChanges | null): void {
  const editor = useId()
  const latest = useRef(changes)
  useEffect(() => {
    latest.current = changes
  })

  const fields = changes?.fields.join('\n')
  const isSaving = changes?.isSaving ?? false
  const savesItself = changes?.savesItself ?? false
  useEffect(() => {
    if (fields === undefined) return
    setUnsaved(editor, {
      fields: fields.split('\n'),
      isSaving,
      savesItself,
      save: () => latest.current?.save(),
      discard: () => latest.current?.discard() ?? (() => {}),
    })
    return () => setUnsaved(editor, null)
  }, [editor, fields, isSaving, savesItself])

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key.toLowerCase() !== 's' || !(ctrlKey || metaKey) || altKey || shiftKey) return
    if (document.querySelector('[role=dialog]')) return
    event.preventDefault()
    if (!isSaving) latest.current?.save()
  })
  const isUnsaved = changes !== null
  useEffect(() => {
    if (!isUnsaved) return
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isUnsaved])
}
