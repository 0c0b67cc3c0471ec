import type { ReactNode } from 'react'
import type { ContentField } from '#contract/console/content.ts'
import { Checkbox, ariaDescription, Field, FieldBox, fieldId, TextArea } from '#web/ui/field.tsx'
import { linesOf, describeDateReading, describeTimeReading, textOf } from './field-values.rules.ts'
import { EventDatePickers, EventTimePickers } from '../events/event/event-when-pickers.tsx'
import { DollarsField } from './dollars-field.tsx'
import { MarkdownField } from '../markdown/markdown-field.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { previewUrl } from './preview-url.ts'
import { LogoNote } from '../pictures/logo-note.tsx'
import { ColorField } from '../settings/color-field.tsx'
import { PictureChooser } from '../pictures/picture-chooser.tsx'

export interface ControlProps {
  field: Omit<ContentField, 'fields'>
  /** Its kind and its path in the record, such as `committees.members.0.name`: several records may be on a page. */
  path: string
  value: unknown
  error: string | undefined
  isFixed: boolean
  onChange(value: unknown): void
}

const INPUT_TYPES: Partial<Record<ContentField['control'], string>> = { day: 'date', time: 'time', number: 'number' }
/** A list grows with its lines up to this. */
const MOST_ROWS = 20
const ROWS: Partial<Record<ContentField['control'], number>> = {
  text: 3,
  markdown: 16,
  lines: 5,
  pictures: 3,
}

/** Renders one field from the server's description. */
export function ContentControl(props: ControlProps) {
  const { field, path, value, error, isFixed, onChange } = props
  const { control, label, isRequired, options } = field
  const shared = {
    label: isRequired || control === 'switch' ? label : `${label} (optional)`,
    name: path,
    hint: hintOf(field, value),
    ...(error !== undefined && { error }),
  }
  switch (control) {
    case 'picture':
    case 'pictures':
      return (
        <>
          <TextControl {...props} shared={shared} />
          <Thumbnails addresses={linesOf(value).split('\n').filter(Boolean)} />
          {field.name === 'logo' && textOf(value) !== '' && <LogoNote address={textOf(value)} />}
          <PictureChooser
            label={label}
            onChosen={({ address }) => {
              const lines = linesOf(value).split('\n').filter(Boolean)
              onChange(control === 'picture' ? address : [...lines, address])
            }}
          />
        </>
      )
    case 'markdown':
      return (
        <MarkdownField
          {...shared}
          rows={ROWS[control] ?? 16}
          value={textOf(value)}
          onChange={({ target }) => onChange(target.value)}
        />
      )
    case 'text':
    case 'lines':
      return <TextControl {...props} shared={shared} />
    case 'switch':
      return (
        <Checkbox
          label={label}
          name={path}
          {...(error !== undefined && { error })}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      )
    case 'choice': {
      const id = fieldId(path)
      return (
        <FieldBox id={id} {...shared}>
          <select
            className="input"
            name={path}
            value={textOf(value)}
            disabled={isFixed}
            onChange={({ target }) => onChange(target.value)}
            {...ariaDescription({ id, hint: shared.hint, error })}
            id={id}
          >
            {(textOf(value) === '' || !isRequired) && <option value="">{isRequired ? 'Choose' : 'None'}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </FieldBox>
      )
    }
    case 'eventDate':
    case 'eventTime': {
      const Pickers = control === 'eventDate' ? EventDatePickers : EventTimePickers
      return (
        <>
          <TextControl {...props} shared={shared} />
          {!isFixed && <Pickers path={path} text={textOf(value)} onChange={onChange} />}
        </>
      )
    }
    case 'ticks':
      return <Ticks {...props} />
    case 'color':
      return <ColorField {...shared} name={field.name} hint={field.hint} value={textOf(value)} onChange={onChange} />
    case 'dollars':
      return <DollarsField {...shared} cents={value} onCents={onChange} />
    default:
      return <TextControl {...props} shared={shared} />
  }
}

function Thumbnails({ addresses }: { addresses: readonly string[] }) {
  if (addresses.length === 0) return null
  return (
    <p className="thumbnails">
      {addresses.map((address) => (
        <img key={address} src={previewUrl(imageUrl(address))} alt="" />
      ))}
    </p>
  )
}

interface SharedProps {
  label: string
  name: string
  hint: ReactNode
  error?: string
}

/** A text input or a textarea. */
function TextControl({ field: { control }, value, isFixed, onChange, shared }: ControlProps & { shared: SharedProps }) {
  const rows = ROWS[control]
  if (rows !== undefined)
    return (
      <TextArea
        {...shared}
        rows={isList(control) && Array.isArray(value) ? Math.min(Math.max(rows, value.length + 1), MOST_ROWS) : rows}
        value={linesOf(value)}
        onChange={({ target }) => onChange(isList(control) ? target.value.split('\n') : target.value)}
      />
    )
  return (
    <Field
      {...shared}
      type={INPUT_TYPES[control] ?? 'text'}
      autoComplete="off"
      value={textOf(value)}
      disabled={isFixed}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

function isList(control: ContentField['control']): boolean {
  return control === 'lines' || control === 'pictures'
}

/** Shows how a date or time was read, or the field's hint. */
function hintOf({ control, hint }: ControlProps['field'], value: unknown) {
  const text = textOf(value)
  if (control === 'markdown') return 'Text pasted from Word keeps headings, bold, italic, links, lists and tables.'
  if (control === 'eventTime' && text !== '') return describeTimeReading(text)
  if (control !== 'eventDate') return hint
  const reading = describeDateReading(text)
  if (!reading) return hint
  return reading.isRead ? reading.sentence : <strong>{reading.sentence}</strong>
}

function Ticks({ field: { label, options }, path, value, error, onChange }: ControlProps) {
  const ticked = Array.isArray(value) ? (value as unknown[]) : []
  return (
    <fieldset className="checkbox-group field">
      <legend>{label}</legend>
      {options.map((option) => (
        <Checkbox
          key={option.value}
          id={`${fieldId(path)}-${option.value}`}
          label={option.label}
          name={path}
          checked={ticked.includes(option.value)}
          onChange={({ target }) =>
            onChange(
              options
                .map((one) => one.value)
                .filter((one) => (one === option.value ? target.checked : ticked.includes(one))),
            )
          }
        />
      ))}
      {error && <p className="error-text">{error}</p>}
    </fieldset>
  )
}
