import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { described, FieldBox, fieldId, type FieldProps } from './field.tsx'

/** A password with a button that shows it. Pasting is never hindered (decision B6). */
export function PasswordField({ label, hint, error, ...input }: Omit<FieldProps, 'type'>) {
  const [shown, setShown] = useState(false)
  const id = input.id ?? fieldId(input.name)
  const Icon = shown ? EyeOff : Eye
  return (
    <FieldBox id={id} label={label} hint={hint} error={error}>
      <div className="with-toggle">
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          type={shown ? 'text' : 'password'}
          id={id}
          className="input"
          {...described({ id, hint, error })}
        />
        <button
          type="button"
          aria-label="Show password"
          aria-pressed={shown}
          aria-controls={id}
          onClick={() => setShown(!shown)}
        >
          <Icon aria-hidden="true" />
        </button>
      </div>
    </FieldBox>
  )
}
