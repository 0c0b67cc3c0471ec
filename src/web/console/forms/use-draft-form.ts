import { useEffect, useState } from 'react'
import { useForm, type Form, type FormPlan } from '#web/features/forms/use-form.ts'
import { keepTyped } from './kept.ts'
import { findFields, keepFields, type KeptFields } from './kept-fields.ts'

export interface KeptForm<Name extends string> extends Form<Name> {
  /** What it was filled with: typed at an earlier visit, and not sent yet. */
  found: KeptFields
  /** Forgets what is kept. */
  forget(): void
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * As `useForm`; what is typed is kept in this browser under the name of its record until it was sent, so that a closed tab or dialog loses nothing.
 * Where nothing was typed the form shows its record. Where the record may have changed since, `useOvertaken` with `found` says so.
 * Ticks and choices among buttons are not kept.
 */
export function useKeptForm<Name extends string>(
  record: string,
  plan: FormPlan<Name> & {
    /** Sending only shows what would happen: it is kept until `forget` is called. */
    isTrial?: true
  },
): KeptForm<Name> {
  const [found, setFound] = useState(() => findFields(record))
  function forget() {
    keepTyped(record, null)
    setFound({})
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
    const typed = findFields(record)
    fill(element, typed)
    // A choice may have brought other fields, or put a new one in the place of another.
    const again = setTimeout(() => fill(element, typed))
    const keep = () =>
      keepFields(record, { entered: textsOf(element, ({ value }) => value), given: textsOf(element, givenTo) })
    element.addEventListener('input', keep)
    return () => {
      clearTimeout(again)
      element.removeEventListener('input', keep)
    }
  }, [record, ref])

  return { ...form, found, forget }
}

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (one): one is Control =>
      one instanceof HTMLTextAreaElement ||
      one instanceof HTMLSelectElement ||
      (one instanceof HTMLInputElement && !['checkbox', 'radio', 'password', 'file'].includes(one.type)),
  )
}

function textsOf(form: HTMLFormElement, textIn: (control: Control) => string): Record<string, string> {
  return Object.fromEntries(controlsOf(form).map((one) => [one.name, textIn(one)]))
}

/** What stood in a control before anybody typed. */
function givenTo(control: Control): string {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue
  const options = [...control.options]
  return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? ''
}

function fill(form: HTMLFormElement, typed: KeptFields): void {
  for (const control of controlsOf(form)) {
    const value = typed[control.name]?.value
    if (value === undefined || value === control.value) continue
    // As if it was typed: a control that React holds hears of it too.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control) as object, 'value')?.set?.call(control, value)
    control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  }
}
