import type { EmailWording, WordingPart } from '#contract/console/emails/email-wordings.ts'
import { Field, TextArea } from '#web/ui/field.tsx'
import { keyOf } from './changed-texts.rules.ts'

const LABELS: Record<WordingPart, string> = {
  subject: 'Subject',
  preview: 'Preview text, shown after the subject in the inbox',
  heading: 'Heading',
  text: 'Text',
  lead: 'Text before a link or code',
  note: 'Note',
}

/** A field for each text, with its placeholders and a way back to the original. */
export function TextFields({
  texts,
  values,
  sample,
  errors,
  onChange,
}: {
  texts: EmailWording['texts']
  values: Readonly<Record<string, string>>
  /** Shows the texts of this variant only; null: of all. */
  sample: string | null
  errors: Readonly<Record<string, string>>
  onChange(key: string, text: string): void
}) {
  const shown = texts.filter((text) => sample === null || text.samples.includes(sample))
  return shown.map((text, index) => {
    const key = keyOf(text)
    const value = values[key] ?? text.text
    const props = {
      label: LABELS[text.part],
      name: `text-${index}`,
      value,
      ...(errors[key] !== undefined && { error: errors[key] ?? '' }),
    }
    const isLong = text.part === 'text' || text.part === 'note'
    return (
      <div key={key} className="email-text-field">
        {isLong ? (
          <TextArea
            {...props}
            rows={Math.min(8, Math.max(3, Math.ceil(value.length / 70)))}
            onChange={({ target }) => onChange(key, target.value)}
          />
        ) : (
          <Field {...props} autoComplete="off" onChange={({ target }) => onChange(key, target.value)} />
        )}
        <div className="placeholders">
          {text.placeholders.map((name) => (
            <button
              key={name}
              type="button"
              className="placeholder"
              aria-label={`Insert {{${name}}} into: ${LABELS[text.part]}`}
              onClick={() => onChange(key, `${value}{{${name}}}`)}
            >
              {name.replaceAll('_', ' ')}
            </button>
          ))}
          {value !== text.original && (
            <button type="button" className="text-button" onClick={() => onChange(key, text.original)}>
              Reset to original
            </button>
          )}
        </div>
      </div>
    )
  })
}
