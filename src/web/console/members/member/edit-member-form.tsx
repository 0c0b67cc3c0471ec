import { editMember, type ConsoleMember } from '#contract/console/member.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

const FIELDS = { firstName: 'First name', lastName: 'Last name', username: 'Username' }

interface EditMemberFormProps {
  member: ConsoleMember
  onSaved(member: ConsoleMember): void
  /** Opens the form for the email address, which the new address has to confirm; null if the officer may not. */
  onChangeEmail: (() => void) | null
}

/** Changes name and username. */
export function EditMemberForm({ member, onSaved, onChangeEmail }: EditMemberFormProps) {
  const seen = { username: member.username, firstName: member.name.first, lastName: member.name.last }
  const form = useDraftForm(`profile:${member.id}`, {
    fields: FIELDS,
    saved: seen,
    errorMessage: officerErrorMessage,
    async send(typed) {
      onSaved(await saveAsOfficer(editMember, { params: { id: member.id }, body: { ...typed, seen } }))
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <div className="pair">
        <Field {...form.field('firstName')} autoComplete="off" />
        <Field {...form.field('lastName')} autoComplete="off" />
      </div>
      <Field {...form.field('username')} autoComplete="off" />
      {onChangeEmail && (
        <p>
          The email address is {member.email}.{' '}
          <button type="button" className="text-button" onClick={onChangeEmail}>
            Change email address
          </button>
        </p>
      )}
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}
