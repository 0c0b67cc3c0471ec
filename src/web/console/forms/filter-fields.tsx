import { useEffect, useState } from 'react'
import { Field } from '#web/ui/field.tsx'

const EARLIEST = '1900-01-01'
/** Without a maximum, browsers accept years of six digits. */
const LATEST = '9999-12-31'

interface FilterProps {
  label: string
  name: string
  value: string | undefined
  /** Called with the name and the new value; '' means no filter. */
  onChange(change: Record<string, string | null>): void
}

/** Filters a list by date. Waits for a complete year: a typed year passes through 2, 20 and 202. */
export function DayFilter({ label, name, value = '', onChange }: FilterProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])

  function change({ value: day, validity }: HTMLInputElement) {
    setTyped(day)
    const isComplete = day === '' ? !validity.badInput : day >= EARLIEST
    if (isComplete) onChange({ [name]: day })
  }

  return (
    <Field
      label={label}
      name={name}
      type="date"
      max={LATEST}
      value={typed}
      onChange={(event) => change(event.target)}
    />
  )
}

interface TextFilterProps {
  label: string
  name: string
  value: string | undefined
  /** Called with the trimmed text; '' means no filter. */
  onChange(value: string): void
}

/** Filters a list by a typed value, with Enter or when the field is left. */
export function TextFilter({ label, name, value = '', onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const apply = () => typed.trim() !== value && onChange(typed.trim())

  return (
    <Field
      label={label}
      name={name}
      value={typed}
      maxLength={200}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  )
}
