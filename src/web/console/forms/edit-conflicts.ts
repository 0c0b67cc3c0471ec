import { useEffect, useRef, useState, type RefObject } from 'react'
import { CallFailure } from '#web/api/call-failure.ts'
import type { KeptFields } from './kept-fields.ts'

/**
 * Saves what was seen; when somebody else was quicker, what it says now is asked for, so that saving again replaces it knowingly.
 * @param reload keeps what is shown until the answer is there
 */
export async function heedOthers<T>(reload: () => void, save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (failure) {
    if (failure instanceof CallFailure && failure.code === 'CHANGED_MEANWHILE') reload()
    throw failure
  }
}

/** What somebody else wrote into a field in which something was typed here. */
export interface Overtaken {
  label: string
  value: string
}

/**
 * For a form whose fields began with what was saved: when that becomes another, fields in which nothing was typed follow it.
 * Answers what it says now where something was typed.
 * @param found what the form was filled with: what is saved now may not be what that was typed over
 */
export function useOvertaken(
  form: RefObject<HTMLFormElement | null>,
  saved: Readonly<Record<string, string>>,
  found: KeptFields = {},
): readonly Overtaken[] {
  const [overtaken, setOvertaken] = useState<readonly Overtaken[]>([])
  const before = useRef<Readonly<Record<string, string>>>({ ...saved, ...typedOver(found) })

  useEffect(() => {
    const changed = Object.entries(saved).filter(([name, text]) => text !== before.current[name])
    if (changed.length === 0) return
    const others: Overtaken[] = []
    for (const [name, text] of changed) {
      const control = form.current?.elements.namedItem(name)
      if (!isControl(control) || textIn(control) === text) continue
      if (textIn(control) === before.current[name]) follow(control, text)
      else others.push({ label: labelOf(control), value: wordsOf(control, text) })
    }
    before.current = saved
    setOvertaken(others)
  }, [form, saved])

  return overtaken
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function typedOver(found: KeptFields): Record<string, string> {
  return Object.fromEntries(Object.entries(found).map(([name, { on }]) => [name, on]))
}

function isControl(found: unknown): found is Control {
  return [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].some((kind) => found instanceof kind)
}

function follow(control: Control, text: string): void {
  if (control instanceof HTMLSelectElement) choose(control, text)
  else if (isTick(control)) control.checked = text !== ''
  else control.value = text
}

/** React tells other controls what they are given now, and hears of a choice only by its event. */
function choose(control: HTMLSelectElement, text: string): void {
  for (const option of control.options) option.defaultSelected = option.value === text
  control.value = text
  control.dispatchEvent(new Event('change', { bubbles: true }))
}

function isTick(control: Control): control is HTMLInputElement {
  return control instanceof HTMLInputElement && control.type === 'checkbox'
}

/** As a form sends it: '' where nothing is ticked. */
function textIn(control: Control): string {
  return isTick(control) && !control.checked ? '' : control.value
}

function labelOf({ labels, name }: Control): string {
  return labels?.[0]?.textContent ?? name
}

function wordsOf(control: Control, text: string): string {
  if (isTick(control)) return text === '' ? 'No' : 'Yes'
  if (control instanceof HTMLSelectElement)
    return [...control.options].find(({ value }) => value === text)?.text ?? text
  return text === '' ? '–' : text
}
