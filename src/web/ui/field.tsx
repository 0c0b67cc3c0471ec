import type { ComponentProps, ReactNode } from 'react'

/**
 * What every field shows around its control. `ref` points to the control, so `register(...)` may be spread on a field.
 */
interface FieldFrame {
  label: string
  name: string
  hint?: ReactNode
  error?: string
}

export type FieldProps = FieldFrame & Omit<ComponentProps<'input'>, 'name' | 'className'>

export function Field({ label, hint, error, ...input }: FieldProps) {
  const id = input.id ?? fieldId(input.name)
  return (
    <FieldBox id={id} label={label} hint={hint} error={error}>
      <input {...input} id={id} className="input" {...ariaDescription({ id, hint, error })} />
    </FieldBox>
  )
}

export type TextAreaProps = FieldFrame & Omit<ComponentProps<'textarea'>, 'name' | 'className'>

export function TextArea({ label, hint, error, ...textarea }: TextAreaProps) {
  const id = textarea.id ?? fieldId(textarea.name)
  return (
    <FieldBox id={id} label={label} hint={hint} error={error}>
      <textarea {...textarea} id={id} className="input" {...ariaDescription({ id, hint, error })} />
    </FieldBox>
  )
}

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'name' | 'className' | 'type'> {
  label: ReactNode
  name: string
  error?: string
}

export function Checkbox({ label, error, ...input }: CheckboxProps) {
  const id = input.id ?? fieldId(input.name)
  return (
    <div className="check">
      <input {...input} type="checkbox" id={id} {...ariaDescription({ id, error })} />
      <label htmlFor={id}>{label}</label>
      <ErrorText id={id} error={error} />
    </div>
  )
}

interface FieldBoxProps extends Omit<FieldFrame, 'name'> {
  id: string
  children: ReactNode
}

/** Label above, hint and error below. */
export function FieldBox({ id, label, hint, error, children }: FieldBoxProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <ErrorText id={id} error={error} />
    </div>
  )
}

function ErrorText({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null
  return (
    <p className="error-text" id={`${id}-error`}>
      {error}
    </p>
  )
}

/** The default id of a field: the same on the server and in the browser, and known to the error summary. */
export function fieldId(name: string): string {
  return `field-${name}`
}

export function ariaDescription({ id, hint, error }: { id: string; hint?: ReactNode; error?: string | undefined }) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return { 'aria-describedby': ids || undefined, 'aria-invalid': error ? true : undefined } as const
}
