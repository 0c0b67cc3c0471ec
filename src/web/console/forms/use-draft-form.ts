import { useEffect, useState } from 'react'
import { useForm, type Form, type FormOptions } from '#web/forms/use-form.ts'
import { storeDraft } from './draft-storage.ts'
import { useFieldConflicts, type FieldConflict } from './edit-conflicts.ts'
import { readDraftFields, storeDraftFields, type DraftFields } from './draft-fields.ts'

export interface DraftForm<Name extends string> extends Form<Name> {
  /** Whether a draft was restored from an earlier visit. */
  isRestored: boolean
  /** Newer saved values of fields that have unsaved input; empty without `saved`. */
  conflicts: readonly FieldConflict[]
  /** Deletes the draft. */
  discardDraft(): void
}

const NO_FIELDS = {}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * `useForm` with a draft in local storage, keyed by record, so that a closed tab or dialog loses no input. The draft is deleted once it is sent.
 * Fields without a draft show the record.
 * Checkboxes and radio buttons are not stored.
 */
export function useDraftForm<Name extends string>(
  record: string,
  plan: FormOptions<Name> & {
    /** Submitting only previews the result: the draft is kept until `forget` is called. */
    isTrial?: true
    /** The saved values of the fields, if another officer may change them. */
    saved?: Readonly<Record<string, string>>
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

  // After the effect above: it compares what was restored.
  const conflicts = useFieldConflicts(ref, plan.saved ?? NO_FIELDS, found)

  return { ...form, isRestored: Object.keys(found).length > 0, conflicts, discardDraft: forget }
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
    control.value = value
    // React calls `onInput` of a field, and `onChange` of a select.
    control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  }
}
