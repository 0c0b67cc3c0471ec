import type { ReactNode } from 'react'
import { ariaDescription, FieldBox, fieldId } from '#web/ui/field.tsx'

interface SelectFieldProps {
  label: string
  name: string
  value: string
  hint?: ReactNode
  error: string | undefined
  onChange(event: { currentTarget: { value: string } }): void
  /** Values with the text shown for them. */
  options: readonly (readonly [value: string, text: string])[]
}

export function SelectField({ label, name, value, hint, error, onChange, options }: SelectFieldProps) {
  const id = fieldId(name)
  return (
    <FieldBox id={id} label={label} hint={hint} error={error}>
      <select
        className="input"
        id={id}
        name={name}
        value={value}
        onChange={onChange}
        {...ariaDescription({ id, hint, error })}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </FieldBox>
  )
}
