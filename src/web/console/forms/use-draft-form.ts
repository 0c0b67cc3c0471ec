import { useState } from 'react'
import { useForm, type Form, type FormOptions } from '#web/forms/use-form.ts'
import { useDraft } from './use-draft.ts'

type Values<Name extends string> = Readonly<Partial<Record<Name, string>>>

interface DraftFormOptions<Name extends string> extends Omit<FormOptions<Name>, 'order'> {
  /** The fields' labels, in the order in which their errors are shown. */
  fields: Readonly<Record<Name, string>>
  /** The saved values of the fields that other officers may change: conflicts with unsaved input are shown. */
  saved?: Values<Name>
  /** Initial values of the other fields; default: ''. They may depend on unsaved input. */
  initial?(typed: Values<Name>): Values<Name>
  /** How a conflict shows a saved value. */
  display?: Readonly<Partial<Record<Name, (value: string) => string>>>
  /** Submitting only previews the result: the draft is kept until `discardDraft` is called. */
  isTrial?: true
  /** A draft of an earlier visit is offered instead of applied. */
  offersDraft?: true
  /** An editor of a saved record on a page: it is saved in the console's top bar, and has no button of its own. */
  savesInTopBar?: true
}

/** A newer saved value of a field with unsaved input. */
export interface FieldConflict {
  label: string
  value: string
}

interface FieldProps {
  label: string
  name: string
  error: string | undefined
  onChange(event: { currentTarget: { value: string } }): void
}

export interface DraftForm<Name extends string> extends Form<Name> {
  /** What the fields show. */
  values: Readonly<Record<Name, string>>
  /** Whether a draft was restored from an earlier visit. */
  isRestored: boolean
  conflicts: readonly FieldConflict[]
  /** Sets fields as if the officer had typed; null returns a field to its initial value. */
  change(values: Readonly<Partial<Record<Name, string | null>>>): void
  /** The props of a text field or a `SelectField`. */
  field(name: Name): FieldProps & { value: string }
  /** The props of a checkbox. Its value is 'on' or ''. */
  checkbox(name: Name): Omit<FieldProps, 'onChange'> & {
    checked: boolean
    onChange(event: { currentTarget: { checked: boolean } }): void
  }
  /** With `offersDraft`: there is a draft to restore. */
  hasOffer: boolean
  restoreDraft(): void
  /** Deletes the draft on offer, not what was typed since. */
  dropOffer(): void
  discardDraft(): void
}

/** A field's unsaved input, and the value it is based on. */
interface Typed {
  value: string
  on: string
}

/** The unsaved input of a form, by field name. */
type TypedFields = Readonly<Record<string, Typed>>

const NOTHING_TYPED: { version: number; value: TypedFields } = { version: 0, value: {} }

/**
 * `useForm` with controlled fields and a draft, keyed by record, so that a closed tab or dialog loses no input.
 * Only fields with unsaved input are part of the draft; the others show the record, also a newer one. So two officers who change different fields
 * do not get in each other's way.
 */
export function useDraftForm<Name extends string>(
  record: string,
  { fields, saved, initial, display, isTrial, offersDraft, savesInTopBar, send, ...plan }: DraftFormOptions<Name>,
): DraftForm<Name> {
  const [order] = useState(() => Object.keys(fields) as Name[])
  const form = useForm({
    ...plan,
    order,
    async send(values) {
      await send(values)
      if (!isTrial) forget(draft.value)
    },
  })
  const draft = useDraft(record, {
    saved: NOTHING_TYPED,
    applies: () => !offersDraft,
    merge: (offered, typed) => ({ ...offered, ...typed }),
    readEarlier: readUnversioned,
    ...(savesInTopBar && {
      editor: {
        changedFields: (typed: TypedFields) =>
          order
            .filter((name) => typed[name] && typed[name].value !== (saved?.[name] ?? ''))
            .map((name) => fields[name]),
        isSaving: form.isSubmitting,
        save: () => form.props.ref.current?.requestSubmit(),
      },
    }),
  })

  const base = { ...initial?.(textsOf(draft.value)), ...saved } as Values<Name>
  const baseOf = (name: Name) => base[name] ?? ''
  const valueOf = (name: Name) => draft.value[name]?.value ?? baseOf(name)
  const differs = (typed: TypedFields) =>
    order.some((name) => typed[name] !== undefined && typed[name].value !== baseOf(name))

  function change(values: Readonly<Partial<Record<Name, string | null>>>) {
    draft.change((before) => {
      const next = { ...before }
      for (const name of order) {
        const value = values[name]
        if (value === undefined) continue
        if (value === null || value === baseOf(name)) delete next[name]
        else next[name] = { value, on: before[name]?.on ?? baseOf(name) }
      }
      return next
    })
  }

  /** Keeps what was typed while `sent` was being saved. */
  function forget(sent: TypedFields) {
    const left = Object.entries(draft.latest()).filter(([name, typed]) => typed !== sent[name])
    if (left.length === 0) {
      draft.discard()
      return
    }
    const typed = left.map(([name, { value, on }]) => [name, { value, on: sent[name]?.value ?? on }] as const)
    draft.change(() => Object.fromEntries(typed))
    draft.applySaved(sent, NOTHING_TYPED)
  }

  const frame = (name: Name) => ({ label: fields[name], name, error: form.errors[name] })
  return {
    ...form,
    values: Object.fromEntries(order.map((name) => [name, valueOf(name)])) as Record<Name, string>,
    isRestored: draft.isRestored && differs(draft.value),
    conflicts: order
      .filter((name) => saved?.[name] !== undefined && isConflict(draft.value[name], baseOf(name)))
      .map((name) => ({ label: fields[name], value: display?.[name]?.(baseOf(name)) ?? (baseOf(name) || '–') })),
    change,
    field: (name) => ({
      ...frame(name),
      value: valueOf(name),
      onChange: ({ currentTarget }) => change({ [name]: currentTarget.value } as Values<Name>),
    }),
    checkbox: (name) => ({
      ...frame(name),
      checked: valueOf(name) === 'on',
      onChange: ({ currentTarget }) => change({ [name]: currentTarget.checked ? 'on' : '' } as Values<Name>),
    }),
    hasOffer: draft.offered !== null && differs(draft.offered.value),
    restoreDraft: draft.applyOffered,
    dropOffer: draft.dropOffered,
    discardDraft: draft.discard,
  }
}

function isConflict(typed: Typed | undefined, now: string): boolean {
  return typed !== undefined && typed.on !== now && typed.value !== now
}

function textsOf(typed: TypedFields): Values<string> {
  return Object.fromEntries(Object.entries(typed).map(([name, { value }]) => [name, value]))
}

/** Earlier releases stored the fields alone. */
function readUnversioned(stored: unknown): typeof NOTHING_TYPED | undefined {
  const entries = Object.entries(stored ?? {}).filter((entry): entry is [string, Typed] => isTyped(entry[1]))
  return entries.length > 0 ? { version: 0, value: Object.fromEntries(entries) } : undefined
}

function isTyped(stored: unknown): boolean {
  if (typeof stored !== 'object' || stored === null || !('value' in stored) || !('on' in stored)) return false
  return typeof stored.value === 'string' && typeof stored.on === 'string'
}
