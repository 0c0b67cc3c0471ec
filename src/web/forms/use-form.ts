import { useEffect, useRef, useState, type RefObject, type SyntheticEvent } from 'react'
import { CallFailure } from '#web/api/call-failure.ts'
import type { FormValues, Problems } from './problems.rules.ts'

type Check<Name extends string> = (values: FormValues<Name>) => Problems<Name>

/** How a form is checked and sent. */
export interface FormPlan<Name extends string> {
  /** The fields in the order in which their problems are told (docs/product-rules.md#form-errors). */
  order: readonly Name[]
  /** Told when the form is sent: a field's sentence goes while it is edited. */
  check?(values: FormValues<Name>): Problems<Name>
  /** In place of `check`: the rules are fetched when the form is first touched, so what they say comes a moment later. */
  loadCheck?(): Promise<Check<Name>>
  /** Each edited field is told about at once, before anything is sent. */
  tellsOnChange?: boolean
  /** Fetches what sending will need, when the form is first touched. */
  prepare?(): Promise<unknown>
  send(values: FormValues<Name>): Promise<void>
  /** The sentence for a failure that belongs to no field. */
  explain(failure: unknown): string
}

export interface Form<Name extends string> {
  /** For the `form` element. Its fields are uncontrolled, so nothing typed before the page came alive is lost. */
  props: {
    ref: RefObject<HTMLFormElement | null>
    method: 'post'
    noValidate: true
    onInput: (event: SyntheticEvent<HTMLFormElement>) => void
    onFocus: () => void
    onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
  }
  /** What stands under the fields. */
  problems: Problems<Name>
  /** The same as a list in the specified order, once an attempt to send has failed. */
  summary: { name: Name; message: string }[]
  failure: string | null
  failureRef: RefObject<HTMLDivElement | null>
  isValid: boolean
  /** Whether the rules are there: before, `isValid` says nothing. */
  isChecked: boolean
  /** Whether they could not be fetched: sending asks for them again, and says so when it is in vain. */
  isCheckMissing: boolean
  isSending: boolean
}

/**
 * The one way a form is sent: checks all fields, sends once, shows what the server refused under its field or above the form,
 * and moves the focus there. The values stay in the controls whatever happens.
 */
export function useForm<Name extends string>(plan: FormPlan<Name>): Form<Name> {
  const { order, send, explain, tellsOnChange = false } = plan
  const element = useRef<HTMLFormElement | null>(null)
  const failureRef = useRef<HTMLDivElement | null>(null)
  const [values, setValues] = useState(() => emptyValues(order))
  // Since the last attempt to send.
  const [edited, setEdited] = useState<readonly Name[]>([])
  const [refused, setRefused] = useState<Problems<Name>>({})
  // Each failed attempt to send, with the fields it was told about.
  const [attempt, setAttempt] = useState<{ names: readonly Name[] } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const sending = useRef(false)

  const [loadedCheck, setLoadedCheck] = useState<{ check: Check<Name> } | null>(null)
  const [hasFailedToLoad, setFailedToLoad] = useState(false)
  const isPrepared = useRef(false)

  const check = plan.check ?? loadedCheck?.check
  const found = only({ ...refused, ...check?.(values) }, order)
  const problems = only(found, tellsOnChange ? (attempt ? order : edited) : without(attempt?.names ?? [], edited))
  const summary = (attempt?.names ?? []).flatMap((name) => {
    const message = problems[name]
    return message ? [{ name, message }] : []
  })

  useEffect(() => {
    // Typed or filled in by the browser before the page came alive.
    if (element.current) setValues(readValues(element.current, order))
  }, [order])

  useEffect(() => {
    if (!attempt) return
    const first = attempt.names[0]
    if (first) focusField(element.current, first)
    else failureRef.current?.focus()
  }, [attempt])

  async function findCheck(): Promise<Check<Name>> {
    if (check || !plan.loadCheck) return check ?? (() => ({}))
    const loaded = await plan.loadCheck()
    setLoadedCheck({ check: loaded })
    return loaded
  }

  function touch() {
    if (element.current) setValues(readValues(element.current, order))
    if (isPrepared.current) return
    isPrepared.current = true
    // Whatever cannot be fetched now is asked for again at the next touch, and when the form is sent; its failure is told then.
    Promise.all([plan.prepare?.(), findCheck()]).catch(() => {
      isPrepared.current = false
      setFailedToLoad(true)
    })
  }

  function hear({ target }: SyntheticEvent<HTMLFormElement>) {
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
      const told = namesIn((await findCheck())(latest), order)
      if (told.length > 0) fail(told)
      else {
        await send(latest)
        startAfresh()
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

  /** What was sent is done with: what stands in the form now has not been edited, nor refused. */
  function startAfresh() {
    setEdited([])
    setAttempt(null)
    if (element.current) setValues(readValues(element.current, order))
  }

  return {
    props: {
      ref: element,
      // Without JavaScript nothing typed may end up in an address.
      method: 'post',
      noValidate: true,
      onInput: hear,
      onFocus: touch,
      onSubmit: (event) => void submit(event),
    },
    problems,
    summary,
    failure,
    failureRef,
    isValid: order.every((name) => !found[name]),
    isChecked: check !== undefined,
    isCheckMissing: check === undefined && hasFailedToLoad,
    isSending,
  }
}

function emptyValues<Name extends string>(order: readonly Name[]): FormValues<Name> {
  return Object.fromEntries(order.map((name) => [name, ''])) as FormValues<Name>
}

/** What the form's controls hold now. */
export function readValues<Name extends string>(form: HTMLFormElement, order: readonly Name[]): FormValues<Name> {
  const entered = new FormData(form)
  const texts = order.map((name) => {
    const value = entered.get(name)
    return [name, typeof value === 'string' ? value : '']
  })
  return Object.fromEntries(texts) as FormValues<Name>
}

function namesIn<Name extends string>(problems: Problems<Name>, order: readonly Name[]): readonly Name[] {
  return order.filter((name) => problems[name])
}

function without<Name extends string>(names: readonly Name[], others: readonly Name[]): readonly Name[] {
  return names.filter((name) => !others.includes(name))
}

function only<Name extends string>(problems: Problems<Name>, names: readonly string[]): Problems<Name> {
  return Object.fromEntries(
    Object.entries(problems).filter(([name, message]) => message && names.includes(name)),
  ) as Problems<Name>
}

/** A refused field that this form does not show would be lost: then the whole sentence stands above the form. */
function refusedFields<Name extends string>(failure: unknown, order: readonly Name[]): Problems<Name> {
  if (!(failure instanceof CallFailure)) return {}
  return only(failure.errors as Problems<Name>, order)
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const control = form?.elements.namedItem(name)
  if (control instanceof HTMLElement) control.focus()
}
