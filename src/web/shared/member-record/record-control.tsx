import type { ComponentProps, ReactNode } from 'react'
import type { RecordField } from '#contract/member-record/record-fields.ts'
import { recordLimits } from '#contract/member-record/record-values.ts'
import { ariaDescription, Checkbox, Field, FieldBox, fieldId, type FieldProps } from '#web/ui/field.tsx'
import { ADDRESS_PARTS, controlLabels, type RecordPart } from './record-form.rules.ts'

/** What a form knows about its controls: their text and error, and how they are changed if it controls them. */
export interface RecordForm {
  text(name: string): Pick<FieldProps, 'defaultValue' | 'error'> | (Pick<FieldProps, 'error'> & Controlled)
  check(name: string): Pick<ComponentProps<'input'>, 'defaultChecked' | 'checked'> & {
    onChange?(event: { currentTarget: { checked: boolean } }): void
  }
}

interface Controlled {
  value: string
  onChange(event: { currentTarget: { value: string } }): void
}

interface RecordControlProps {
  part: RecordPart
  field: RecordField
  form: RecordForm
}

/** The controls of one field of the member record. */
export function RecordControl({ part, field, form }: RecordControlProps) {
  const name = `${part}.${field.key}`
  const label = controlLabels(part, field)[name] ?? field.label
  const text = form.text(name)
  const props = { label, name, hint: field.hint ?? undefined, ...text }
  switch (field.kind) {
    case 'choice':
      return <Choice {...props} choices={field.choices} />
    case 'choices':
      return (
        <Group name={name} label={label} hint={field.hint} error={text.error}>
          <div className="record-choices">
            {field.choices.map((choice, at) => (
              <Checkbox key={choice} label={choice} name={`${name}.${at}`} {...form.check(`${name}.${at}`)} />
            ))}
          </div>
        </Group>
      )
    case 'address':
      return (
        <Group name={name} label={label} hint={field.hint} error={text.error}>
          <div className="pair">
            {ADDRESS_PARTS.map(({ part: one, label: partLabel, autoComplete, max }) => (
              <Field
                key={one}
                label={partLabel}
                name={`${name}.${one}`}
                autoComplete={autoComplete}
                maxLength={max}
                {...form.text(`${name}.${one}`)}
              />
            ))}
          </div>
        </Group>
      )
    case 'phone':
      return <Field {...props} type="tel" autoComplete="tel" maxLength={recordLimits.phone} />
    case 'day':
      return <Field {...props} type="date" />
    case 'number':
      return <Field {...props} inputMode="numeric" maxLength={10} />
    default:
      return <Field {...props} maxLength={recordLimits.line} />
  }
}

function Choice({
  label,
  name,
  hint,
  error,
  choices,
  ...select
}: { label: string; name: string; hint: string | undefined; choices: readonly string[] } & ReturnType<
  RecordForm['text']
>) {
  const id = fieldId(name)
  const chosen = 'value' in select ? select.value : String(select.defaultValue ?? '')
  // An option that is gone since is shown as long as it is chosen.
  const options = chosen === '' || choices.includes(chosen) ? choices : [...choices, chosen]
  return (
    <FieldBox id={id} label={label} hint={hint} error={error}>
      <select className="input" id={id} name={name} {...select} {...ariaDescription({ id, hint, error })}>
        <option value="">Please choose</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </FieldBox>
  )
}

function Group({
  name,
  label,
  hint,
  error,
  children,
}: {
  name: string
  label: string
  hint: string | null
  error: string | undefined
  children: ReactNode
}) {
  const id = fieldId(name)
  return (
    <fieldset className="record-group" id={id} tabIndex={-1} {...ariaDescription({ id, hint, error })}>
      <legend>{label}</legend>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p className="error-text" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
