import type { ConsoleMember } from '#contract/console/member.ts'
import { requestMemberEmail } from '#contract/console/member-account.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { validate } from '#web/forms/validate.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

const FIELDS = { email: 'New email address', reason: 'Reason for the audit log' }
const BODY = requestMemberEmail.body

/** Requests a new email address for a member. It changes once the new address confirms it. */
export function ChangeEmailForm({
  member,
  onSaved,
}: {
  member: ConsoleMember
  onSaved(member: ConsoleMember, done: string): void
}) {
  const { id, email: seen } = member
  const form = useDraftForm(`email:${id}`, {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    check: ({ email, reason }) => (BODY ? validate(BODY, { email, reason, seen }) : {}),
    async send({ email, reason }) {
      const body = { email, reason, seen }
      const changed = await saveAsOfficer(requestMemberEmail, { params: { id }, body })
      onSaved(
        changed,
        changed.emailChange
          ? `We’ve sent a confirmation email to ${email}. Nothing changes until it is confirmed.`
          : 'We’ve emailed the other officers for approval. Nothing is sent to the member until a second officer approves.',
      )
    },
  })
  return (
    <form {...form.props}>
      <p>
        The new address gets an email with a link. Nothing changes until someone confirms it there, within 3 days. The
        current address, <span className="break">{seen}</span>, is notified and can stop the change.
      </p>
      <p>
        When it is confirmed, every device is signed out and the member chooses a new password. A newsletter
        subscription stays with the address it was made for. If the member holds a role, a second officer has to approve
        the change first.
      </p>
      <DraftFormMessages form={form} />
      <Field {...form.field('email')} type="email" autoComplete="off" maxLength={254} />
      <Field {...form.field('reason')} maxLength={300} autoComplete="off" />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Sending">
        Send confirmation email
      </Button>
    </form>
  )
}
