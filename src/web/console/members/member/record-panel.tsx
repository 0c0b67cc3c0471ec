import { AUDIENCE_NAMES } from '#contract/member-record/record-fields.ts'
import {
  editMemberRecord,
  getMemberRecord,
  type ConsoleField,
  type ConsoleRecord,
} from '#contract/console/people/member-record.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import { formatDay } from '#contract/dates/days.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Drawer } from '#web/console/ui/drawer.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { showToast } from '#web/console/ui/toasts.tsx'
import { checkControls } from '#web/shared/member-record/check-record.rules.ts'
import { RecordControl } from '#web/shared/member-record/record-control.tsx'
import {
  changedFields,
  controlLabels,
  controlTexts,
  readControls,
} from '#web/shared/member-record/record-form.rules.ts'
import { RecordValueText } from '#web/shared/member-record/record-value.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { memberRights } from './member-rights.rules.ts'
import type { MemberEditor } from './use-member.ts'

/** What the association knows of the member besides name and address, as far as officers see it. */
export function MemberRecord({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const loaded = useLoaded(getMemberRecord, { params: { id: member.id } })
  const record = loaded.value
  if (record?.fields.length === 0) return null
  const mayEdit = record?.mayEdit === true && memberRights(member).record
  return (
    <Panel
      title="Details"
      action={
        mayEdit && (
          <button type="button" className="text-button" onClick={() => desk.openDialog('record')}>
            Edit details
          </button>
        )
      }
    >
      <WhenLoaded loaded={loaded} what="details">
        {({ fields }) => <Details fields={fields} />}
      </WhenLoaded>
      <Drawer open={mayEdit && desk.dialog === 'record'} onClose={desk.closeDialog} title="Edit details">
        {record && desk.dialog === 'record' && (
          <RecordForm
            id={member.id}
            record={record}
            onSaved={(saved) => {
              loaded.setValue(saved)
              showToast('Details saved.')
              desk.closeDialog()
            }}
          />
        )}
      </Drawer>
    </Panel>
  )
}

function Details({ fields }: { fields: readonly ConsoleField[] }) {
  const known = fields.filter(({ value, isPrivate }) => value !== null || isPrivate)
  if (known.length === 0) return <p>Nothing entered yet.</p>
  return <KeyValueList items={known.map((field) => ({ label: field.label, value: <Detail field={field} /> }))} />
}

function Detail({ field: { kind, value, audience, confirmedOn } }: { field: ConsoleField }) {
  if (value === null) return <span className="soft">Kept private</span>
  return (
    <>
      <RecordValueText kind={kind} value={value} />
      <span className="record-line small soft">
        {audience && `For ${AUDIENCE_NAMES[audience].toLowerCase()}, `}
        {confirmedOn ? `confirmed ${formatDay(confirmedOn)}` : 'not confirmed'}
      </span>
    </>
  )
}

interface RecordFormProps {
  id: string
  record: ConsoleRecord
  onSaved(record: ConsoleRecord): void
}

function RecordForm({ id, record, onSaved }: RecordFormProps) {
  const fields = record.fields.filter(({ isPrivate }) => !isPrivate)
  const saved: Record<string, string> = Object.assign(
    {},
    ...fields.map((field) => controlTexts('values', field, field.value)),
  )
  const form = useDraftForm<string>(`record:${id}`, {
    fields: Object.assign({}, ...fields.map((field) => controlLabels('values', field))) as Record<string, string>,
    saved,
    check: (texts) => checkControls('values', changedFields('values', fields, { before: saved, after: texts }), texts),
    errorMessage: officerErrorMessage,
    async send(texts) {
      const changed = changedFields('values', fields, { before: saved, after: texts })
      const values = Object.fromEntries(changed.map((field) => [field.key, readControls('values', field, texts)]))
      onSaved(await saveAsOfficer(editMemberRecord, { params: { id }, body: { version: record.version, values } }))
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <p className="form-messages soft">
        The member sees what you enter, and decides who else does. A new value is for officers only.
      </p>
      {fields.map((field) => (
        <RecordControl
          key={field.key}
          part="values"
          field={field}
          form={{ text: (name) => form.field(name), check: (name) => form.checkbox(name) }}
        />
      ))}
      {record.fields
        .filter(({ isPrivate }) => isPrivate)
        .map(({ key, label }) => (
          <p key={key} className="soft">
            {label}: the member keeps this private.
          </p>
        ))}
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}
