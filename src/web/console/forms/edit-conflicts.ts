import { useEffect, useRef, useState, type RefObject } from 'react'
import { CallFailure } from '#web/api/call-failure.ts'
import type { DraftFields } from './draft-fields.ts'

/**
 * Saves a record and reloads it after an edit conflict, so that saving again overwrites the newer version deliberately.
 * @param reload must keep the current value on screen until the response arrives
 */
export async function saveOrReloadOnConflict<T>(reload: () => void, save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (failure) {
    if (failure instanceof CallFailure && failure.code === 'CHANGED_MEANWHILE') reload()
    throw failure
  }
}

/** A field that another officer saved while it had unsaved input here. */
export interface FieldConflict {
  label: string
  value: string
}

/**
 * Updates untouched fields of an uncontrolled form when the saved record changes.
 * Returns the saved values of the fields that have unsaved input.
 * @param found the restored draft; it may be based on an older version than `saved`
 */
export function useFieldConflicts(
  form: RefObject<HTMLFormElement | null>,
  saved: Readonly<Record<string, string>>,
  found: DraftFields = {},
): readonly FieldConflict[] {
  const [conflicts, setConflicts] = useState<readonly FieldConflict[]>([])
  const before = useRef<Readonly<Record<string, string>>>({ ...saved, ...baseValues(found) })

  useEffect(() => {
    const changed = Object.entries(saved).filter(([name, text]) => text !== before.current[name])
    if (changed.length === 0) return
    const others: FieldConflict[] = []
    for (const [name, text] of changed) {
      const control = form.current?.elements.namedItem(name)
      if (!isControl(control) || textIn(control) === text) continue
      if (textIn(control) === before.current[name]) setValue(control, text)
      else others.push({ label: labelOf(control), value: displayValue(control, text) })
    }
    before.current = saved
    setConflicts(others)
  }, [form, saved])

  return conflicts
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function baseValues(found: DraftFields): Record<string, string> {
  return Object.fromEntries(Object.entries(found).map(([name, { on }]) => [name, on]))
}

function isControl(found: unknown): found is Control {
  return [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].some((kind) => found instanceof kind)
}

function setValue(control: Control, text: string): void {
  if (control instanceof HTMLSelectElement) choose(control, text)
  else if (isCheckbox(control)) control.checked = text !== ''
  else control.value = text
}

/** A select needs its default options updated and a change event, or React keeps the old value. */
function choose(control: HTMLSelectElement, text: string): void {
  for (const option of control.options) option.defaultSelected = option.value === text
  control.value = text
  control.dispatchEvent(new Event('change', { bubbles: true }))
}

function isCheckbox(control: Control): control is HTMLInputElement {
  return control instanceof HTMLInputElement && control.type === 'checkbox'
}

/** The value a form would submit: '' for an unchecked box. */
function textIn(control: Control): string {
  return isCheckbox(control) && !control.checked ? '' : control.value
}

function labelOf({ labels, name }: Control): string {
  return labels?.[0]?.textContent ?? name
}

function displayValue(control: Control, text: string): string {
  if (isCheckbox(control)) return text === '' ? 'No' : 'Yes'
  if (control instanceof HTMLSelectElement)
    return [...control.options].find(({ value }) => value === text)?.text ?? text
  return text === '' ? '–' : text
}
