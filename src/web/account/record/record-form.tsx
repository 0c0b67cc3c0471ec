import { useState } from 'react'
import { AUDIENCE_NAMES, type RecordAudience } from '#contract/member-record/record-fields.ts'
import { recordText } from '#contract/member-record/record-values.ts'
import type { AccountField, AccountRecord } from '#contract/public/my-account/member-record.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { checkControls } from '#web/shared/member-record/check-record.rules.ts'
import { RecordControl } from '#web/shared/member-record/record-control.tsx'
import {
  changedFields,
  controlLabels,
  controlTexts,
  readControls,
} from '#web/shared/member-record/record-form.rules.ts'
import { FieldBox, fieldId } from '#web/ui/field.tsx'
import type { ExplainFailure } from '../use-account.ts'
import { FormButtons } from '../form-buttons.tsx'
import { readRecord, saveRecord } from './record.calls.ts'

interface RecordFormProps {
  record: AccountRecord
  explainFailure: ExplainFailure
  /** The record was changed elsewhere: what is typed here stays, and saving again replaces it. */
  onReloaded(record: AccountRecord): void
  onSaved(record: AccountRecord): void
  onCancel(): void
}

const audienceName = ({ key }: AccountField) => `audiences.${key}`

/** Values, and who sees each. Only what changes here is sent. */
export function RecordForm({ record, explainFailure, onReloaded, onSaved, onCancel }: RecordFormProps) {
  const { fields } = record
  // The controls are uncontrolled, so what they showed first is what they are compared with.
  const [shown] = useState(() => textsOf(fields))
  const [elsewhere, setElsewhere] = useState<readonly AccountField[]>([])
  const editable = fields.filter(({ mayEdit }) => mayEdit)
  const form = useForm({
    order: fields.flatMap((field) => [
      ...(field.mayEdit ? Object.keys(controlLabels('values', field)) : []),
      audienceName(field),
    ]),
    check: (texts) =>
      checkControls('values', changedFields('values', editable, { before: shown, after: texts }), texts),
    errorMessage: (failure) =>
      explainFailure(failure, {
        missing: 'Please log in to change your details',
        failed: 'Your details were not saved',
      }),
    async send(texts) {
      const changed = changedFields('values', editable, { before: shown, after: texts })
      const audiences = fields.filter((field) => texts[audienceName(field)] !== shown[audienceName(field)])
      try {
        const saved = await saveRecord({
          version: record.version,
          values: Object.fromEntries(changed.map((field) => [field.key, readControls('values', field, texts)])),
          audiences: Object.fromEntries(
            audiences.map((field) => [field.key, texts[audienceName(field)] as RecordAudience]),
          ),
        })
        onSaved(saved)
      } catch (failure) {
        if (failure instanceof CallFailure && failure.code === 'PROFILE_CHANGED') {
          const now = await readRecord()
          onReloaded(now)
          setElsewhere(now.fields.filter((field) => !isAsShown(field, shown)))
        }
        throw failure
      }
    },
  })
  const bound = {
    text: (name: string) => ({ defaultValue: shown[name], error: form.errors[name] }),
    check: (name: string) => ({ defaultChecked: shown[name] === 'on' }),
  }

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      {elsewhere.length > 0 && (
        <p className="form-messages">
          Saved elsewhere:{' '}
          {elsewhere.map(({ label, value }) => `${label}: ${value === null ? '–' : recordText(value)}`).join('; ')}.
        </p>
      )}
      {fields.map((field) => (
        <div className="record-field" key={field.key}>
          {field.mayEdit ? (
            <RecordControl part="values" field={field} form={bound} />
          ) : (
            <p className="field">
              <strong>{field.label}</strong> <span className="small soft">Officers enter this.</span>
            </p>
          )}
          <FieldBox
            id={fieldId(audienceName(field))}
            label={`Who sees it: ${field.label}`}
            error={form.errors[audienceName(field)]}
          >
            <select
              className="input"
              id={fieldId(audienceName(field))}
              name={audienceName(field)}
              defaultValue={shown[audienceName(field)]}
            >
              {field.audiences.map((audience) => (
                <option key={audience} value={audience}>
                  {AUDIENCE_NAMES[audience]}
                </option>
              ))}
            </select>
          </FieldBox>
        </div>
      ))}
      <FormButtons label="Save details" busyLabel="Saving" isSubmitting={form.isSubmitting} onCancel={onCancel} />
    </form>
  )
}

/** A field that allows less than before shows the widest that it still allows. */
function shownAudience({ audiences, audience }: AccountField): RecordAudience {
  return audiences.includes(audience) ? audience : (audiences.at(-1) ?? audience)
}

function isAsShown(field: AccountField, shown: Readonly<Record<string, string>>): boolean {
  return Object.entries(textsOf([field])).every(([name, text]) => (shown[name] ?? '') === text)
}

function textsOf(fields: readonly AccountField[]): Record<string, string> {
  return Object.assign(
    {},
    ...fields.map((field) => ({
      ...controlTexts('values', field, field.value),
      [audienceName(field)]: shownAudience(field),
    })),
  ) as Record<string, string>
}
