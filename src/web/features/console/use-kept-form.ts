import { useEffect, useState } from 'react'
import { useForm, type Form, type FormPlan } from '#web/features/forms/use-form.ts'
import { findTyped, keepTyped } from './kept.ts'

export interface KeptForm<Name extends string> extends Form<Name> {
  /** It was filled with what was typed at an earlier visit, and is not sent yet. */
  isFound: boolean
  /** Forgets what is kept. */
  forget(): void
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * As `useForm`; what is typed is kept in this browser under the name of its record until it was sent, so that a closed tab or dialog loses nothing.
 * Ticks and choices among buttons are not kept.
 */
export function useKeptForm<Name extends string>(
  record: string,
  plan: FormPlan<Name> & {
    /** Sending only shows what would happen: it is kept until `forget` is called. */
    isTrial?: true
  },
): KeptForm<Name> {
  const [isFound, setFound] = useState(() => findTyped(record) !== null)
  function forget() {
    keepTyped(record, null)
    setFound(false)
  }
  const form = useForm({
    ...plan,
    async send(values) {
      await plan.send(values)
      if (!plan.isTrial) forget()
    },
  })
  const { ref } = form.props

  useEffect(() => {
    const element = ref.current
    if (!element) return
    const typed = findTyped(record)
    fill(element, typed)
    // A choice may have brought other fields, or put a new one in the place of another.
    const again = setTimeout(() => fill(element, typed))
    const keep = () => keepTyped(record, Object.fromEntries(controlsOf(element).map((one) => [one.name, one.value])))
    element.addEventListener('input', keep)
    return () => {
      clearTimeout(again)
      element.removeEventListener('input', keep)
    }
  }, [record, ref])

  return { ...form, isFound, forget }
}

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (one): one is Control =>
      one instanceof HTMLTextAreaElement ||
      one instanceof HTMLSelectElement ||
      (one instanceof HTMLInputElement && !['checkbox', 'radio', 'password', 'file'].includes(one.type)),
  )
}

function fill(form: HTMLFormElement, typed: unknown): void {
  if (typeof typed !== 'object' || typed === null) return
  const values = new Map<string, unknown>(Object.entries(typed))
  for (const control of controlsOf(form)) {
    const value = values.get(control.name)
    if (typeof value !== 'string' || value === control.value) continue
    // As if it was typed: a control that React holds hears of it too.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control) as object, 'value')?.set?.call(control, value)
    control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  }
}
