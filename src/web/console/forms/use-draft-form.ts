import { useEffect, useState } from 'react'
import { useForm, type Form, type FormOptions } from '#web/forms/use-form.ts'
import { storeDraft } from './draft-storage.ts'
import { readDraftFields, storeDraftFields, type DraftFields } from './draft-fields.ts'

export interface DraftForm<Name extends string> extends Form<Name> {
  /** The draft restored from an earlier visit. */
  restored: DraftFields
  /** Deletes the draft. */
  discardDraft(): void
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * `useForm` with a draft in local storage, keyed by record, so that a closed tab or dialog loses no input. The draft is deleted once it is sent.
 * Fields without a draft show the record. Pass `found` to `useFieldConflicts` when the record may have changed since.
 * Checkboxes and radio buttons are not stored.
 */
export function useDraftForm<Name extends string>(
  record: string,
  plan: FormOptions<Name> & {
    /** Submitting only previews the result: the draft is kept until `forget` is called. */
    isTrial?: true
  },
): DraftForm<Name> {
  const [found, setFound] = useState(() => readDraftFields(record))
  function forget() {
    storeDraft(record, null)
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
    const typed = readDraftFields(record)
    fill(element, typed)
    // Setting a select may have mounted or replaced other fields.
    const again = setTimeout(() => fill(element, typed))
    const keep = () =>
      storeDraftFields(record, {
        entered: textsOf(element, ({ value }) => value),
        given: textsOf(element, initialValue),
      })
    element.addEventListener('input', keep)
    return () => {
      clearTimeout(again)
      element.removeEventListener('input', keep)
    }
  }, [record, ref])

  return { ...form, restored: found, discardDraft: forget }
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

/** The control's initial value. */
function initialValue(control: Control): string {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue
  const options = [...control.options]
  return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? ''
}

function fill(form: HTMLFormElement, typed: DraftFields): void {
  for (const control of controlsOf(form)) {
    const value = typed[control.name]?.value
    if (value === undefined || value === control.value) continue
    // Set through the prototype and dispatch an event, so that React's controlled inputs notice.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control) as object, 'value')?.set?.call(control, value)
    control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  }
}
