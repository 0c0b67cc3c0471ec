import { useState, type ReactNode } from 'react'
import { Field } from '#web/ui/field.tsx'

interface DollarsFieldProps {
  label: string
  name: string
  hint?: ReactNode
  error?: string
  cents: unknown
  onCents(cents: number | null): void
}

/** Shows dollars and stores cents. */
export function DollarsField({ cents, onCents, ...field }: DollarsFieldProps) {
  const [text, setText] = useState(typeof cents === 'number' ? String(cents / 100) : '')
  return (
    <Field
      {...field}
      type="number"
      min={0}
      step="0.01"
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        onCents(target.value === '' ? null : Math.round(Number(target.value) * 100))
      }}
    />
  )
}
