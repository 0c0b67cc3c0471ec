import { COLOR_CHECKS } from '#contract/brand/color-checks.ts'
import { isColor } from '#contract/brand/color.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

interface ColorFieldProps {
  /** A color of the brand, whose contrast is checked. */
  name: string
  label: string
  hint: string | null
  error?: string
  value: string
  onChange(value: string): void
}

/** A color as text and in the device's color picker, with its contrast; if that is too low, the nearest color that passes is offered. */
export function ColorField({ name, label, hint, error, value, onChange }: ColorFieldProps) {
  const color = value.trim().toLowerCase()
  const check = isColor(color) ? COLOR_CHECKS[name]?.(color) : undefined
  return (
    <div className="color-field">
      <Field
        label={label}
        name={name}
        autoComplete="off"
        spellCheck={false}
        maxLength={7}
        value={value}
        hint={hint}
        {...(error !== undefined && { error })}
        onChange={({ target }) => onChange(target.value)}
      />
      <input
        type="color"
        aria-label={`Choose the ${label.toLowerCase()}`}
        value={isColor(color) ? color : '#000000'}
        onChange={({ target }) => onChange(target.value)}
      />
      <p className="color-check" role="status">
        {check && (
          <>
            <span className={check.passes ? 'badge ok' : 'badge bad'}>
              {`${check.ratio.toFixed(1)} : 1${check.passes ? ', passes AA' : ', too low'}`}
            </span>{' '}
            {!check.passes && (
              <Button variant="line" size="small" onClick={() => onChange(check.nearest)}>
                <i className="color-sample" aria-hidden="true" style={{ background: check.nearest }} />
                {`Use ${check.nearest}`}
              </Button>
            )}
          </>
        )}
      </p>
    </div>
  )
}
