import { useState } from 'react'
import { ariaDescription, FieldBox, fieldId, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

const EYE =
  'M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0M9 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0'
const CROSSED_EYE =
  'M10.733 5.076a10.744 10.744 0 0 1 11.205 6.575 1 1 0 0 1 0 .696 10.747 10.747 0 0 1-1.444 2.49M14.084 14.158a3 3 0 0 1-4.242-4.242M17.479 17.499a10.75 10.75 0 0 1-15.417-5.151 1 1 0 0 1 0-.696 10.75 10.75 0 0 1 4.446-5.143M2 2l20 20'

/** A password field with a button that shows it. Pasting is never blocked (docs/product-rules.md#passwords). */
export function PasswordField({ label, hint, error, ...input }: Omit<FieldProps, 'type'>) {
  const [shown, setShown] = useState(false)
  const id = input.id ?? fieldId(input.name)
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
          {...ariaDescription({ id, hint, error })}
        />
        <button
          type="button"
          aria-label="Show password"
          aria-pressed={shown}
          aria-controls={id}
          onClick={() => setShown(!shown)}
        >
          <Icon d={shown ? CROSSED_EYE : EYE} />
        </button>
      </div>
    </FieldBox>
  )
}
