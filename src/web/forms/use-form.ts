import { useEffect, useRef, useState, type RefObject, type SyntheticEvent } from 'react'
import { CallFailure } from '#web/api/call-failure.ts'
import type { FormValues, FieldErrors } from './validate.rules.ts'

type Check<Name extends string> = (values: FormValues<Name>) => FieldErrors<Name>

export interface FormOptions<Name extends string> {
  /** The fields in the order in which their errors are shown (docs/product-rules.md#form-errors). */
  order: readonly Name[]
  /** Runs on submit; a field's error disappears while it is edited. */
  check?(values: FormValues<Name>): FieldErrors<Name>
  /** Loads the check on the first interaction, so its first results come a moment later. */
  loadCheck?(): Promise<Check<Name>>
  /** Shows errors of edited fields immediately, not only on submit. */
  validatesOnChange?: boolean
  /** Loads what submitting needs, on the first interaction. */
  prepare?(): Promise<unknown>
  send(values: FormValues<Name>): Promise<void>
  /** The message for a failure that belongs to no field. */
  errorMessage(failure: unknown): string
}

export interface Form<Name extends string> {
  /** Props for the `form` element. Fields are uncontrolled, so nothing typed before hydration is lost. */
  props: {
    ref: RefObject<HTMLFormElement | null>
    method: 'post'
    noValidate: true
    /** Not on `input`: rendering between a select's `input` and its `change` would put a controlled select back. */
    onChange: (event: SyntheticEvent<HTMLFormElement>) => void
    onFocus: () => void
    onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
  }
  /** The errors shown under the fields. */
  errors: FieldErrors<Name>
  /** The same errors as a list in the specified order, after a failed attempt. */
  summary: { name: Name; message: string }[]
  failure: string | null
  failureRef: RefObject<HTMLDivElement | null>
  isValid: boolean
  /** Whether the check has been loaded; `isValid` means nothing before. */
  isCheckLoaded: boolean
  /** Whether loading the check failed. Submitting retries it and reports a second failure. */
  hasCheckFailedToLoad: boolean
  isSubmitting: boolean
}

/**
 * Validates and submits a form once, shows rejected fields or a general error, and focuses the first of them. The
 * controls keep their values in every case.
 */
export function useForm<Name extends string>(plan: FormOptions<Name>): Form<Name> {
  const { send, errorMessage: explain, validatesOnChange: tellsOnChange = false } = plan
  // A form keeps its fields; a list written in the call is a new one at each render.
  const [order] = useState(plan.order)
  const element = useRef<HTMLFormElement | null>(null)
  const failureRef = useRef<HTMLDivElement | null>(null)
  const [values, setValues] = useState(() => emptyValues(order))
  // Edited since the last attempt.
  const [edited, setEdited] = useState<readonly Name[]>([])
  const [refused, setRefused] = useState<FieldErrors<Name>>({})
  // The last failed attempt, with the fields that had errors.
  const [attempt, setAttempt] = useState<{ names: readonly Name[] } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const sending = useRef(false)

  const [loadedCheck, setLoadedCheck] = useState<{ check: Check<Name> } | null>(null)
  const [hasFailedToLoad, setFailedToLoad] = useState(false)
  const isPrepared = useRef(false)

  const check = plan.check ?? loadedCheck?.check
  const found = pick({ ...refused, ...check?.(values) }, order)
  const problems = pick(found, tellsOnChange ? (attempt ? order : edited) : exclude(attempt?.names ?? [], edited))
  const summary = (attempt?.names ?? []).flatMap((name) => {
    const message = problems[name]
    return message ? [{ name, message }] : []
  })

  useEffect(() => {
    // Typed or autofilled before hydration.
    if (element.current) setValues(readValues(element.current, order))
  }, [order])

  useEffect(() => {
    if (!attempt) return
    const first = attempt.names[0]
    if (first) focusField(element.current, first)
    else failureRef.current?.focus()
  }, [attempt])

  async function getCheck(): Promise<Check<Name>> {
    if (check || !plan.loadCheck) return check ?? (() => ({}))
    const loaded = await plan.loadCheck()
    setLoadedCheck({ check: loaded })
    return loaded
  }

  function handleFocus() {
    if (element.current) setValues(readValues(element.current, order))
    if (isPrepared.current) return
    isPrepared.current = true
    // If lazy loading fails, retry on the next interaction or on submit, and report the failure then.
    Promise.all([plan.prepare?.(), getCheck()]).catch(() => {
      isPrepared.current = false
      setFailedToLoad(true)
    })
  }

  function handleChange({ target }: SyntheticEvent<HTMLFormElement>) {
    const name = order.find((one) => 'name' in target && target.name === one)
    if (element.current) setValues(readValues(element.current, order))
    if (name === undefined) return
    setEdited((names) => (names.includes(name) ? names : [...names, name]))
    setRefused((before) => ({ ...before, [name]: undefined }))
  }

  async function submit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    if (sending.current) return
    const latest = readValues(event.currentTarget, order)
    setValues(latest)
    setRefused({})
    setFailure(null)
    sending.current = true
    setSending(true)
    try {
      const invalid = namesIn((await getCheck())(latest), order)
      if (invalid.length > 0) fail(invalid)
      else {
        await send(latest)
        clearErrors()
      }
    } catch (cause) {
      const underFields = refusedFields(cause, order)
      const names = namesIn(underFields, order)
      setRefused(underFields)
      if (names.length === 0) setFailure(explain(cause))
      fail(names)
    } finally {
      sending.current = false
      setSending(false)
    }
  }

  function fail(names: readonly Name[]) {
    setEdited([])
    setAttempt({ names })
  }

  /** After a successful submit, what is in the form now counts as neither edited nor rejected. */
  function clearErrors() {
    setEdited([])
    setAttempt(null)
    if (element.current) setValues(readValues(element.current, order))
  }

  return {
    props: {
      ref: element,
      // Without JavaScript a GET would put the values into the URL.
      method: 'post',
      noValidate: true,
      onChange: handleChange,
      onFocus: handleFocus,
      onSubmit: (event) => void submit(event),
    },
    errors: problems,
    summary,
    failure,
    failureRef,
    isValid: order.every((name) => !found[name]),
    isCheckLoaded: check !== undefined,
    hasCheckFailedToLoad: check === undefined && hasFailedToLoad,
    isSubmitting: isSending,
  }
}

function emptyValues<Name extends string>(order: readonly Name[]): FormValues<Name> {
  return Object.fromEntries(order.map((name) => [name, ''])) as FormValues<Name>
}

/** The current values of the form's controls. */
export function readValues<Name extends string>(form: HTMLFormElement, order: readonly Name[]): FormValues<Name> {
  const entered = new FormData(form)
  const texts = order.map((name) => {
    const value = entered.get(name)
    return [name, typeof value === 'string' ? value : '']
  })
  return Object.fromEntries(texts) as FormValues<Name>
}

function namesIn<Name extends string>(problems: FieldErrors<Name>, order: readonly Name[]): readonly Name[] {
  return order.filter((name) => problems[name])
}

function exclude<Name extends string>(names: readonly Name[], others: readonly Name[]): readonly Name[] {
  return names.filter((name) => !others.includes(name))
}

function pick<Name extends string>(problems: FieldErrors<Name>, names: readonly string[]): FieldErrors<Name> {
  return Object.fromEntries(
    Object.entries(problems).filter(([name, message]) => message && names.includes(name)),
  ) as FieldErrors<Name>
}

/** Errors of fields that this form does not show would be lost, so they are left to the general message. */
function refusedFields<Name extends string>(failure: unknown, order: readonly Name[]): FieldErrors<Name> {
  if (!(failure instanceof CallFailure)) return {}
  return pick(failure.fieldErrors as FieldErrors<Name>, order)
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const control = form?.elements.namedItem(name)
  if (control instanceof HTMLElement) control.focus()
}
