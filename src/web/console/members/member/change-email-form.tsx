import type { ConsoleMember } from '#contract/console-member.ts'
import { askMemberEmail } from '#contract/console-member-account.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { problemsOf } from '#web/features/forms/problems.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

const FIELDS = ['email', 'reason'] as const
const BODY = askMemberEmail.body

/** Asks for another address of a member; nothing changes until it is confirmed from there. */
export function ChangeEmailForm({
  member,
  reload,
  onSaved,
}: {
  member: ConsoleMember
  reload(): void
  onSaved(member: ConsoleMember, done: string): void
}) {
  const { id, email: seen } = member
  const form = useKeptForm(`email:${id}`, {
    order: FIELDS,
    explain: explainToOfficer,
    check: ({ email, reason }) => (BODY ? problemsOf(BODY, { email, reason, seen }) : {}),
    async send({ email, reason }) {
      const body = { email, reason, seen }
      const changed = await heedOthers(reload, () => callAsOfficer(askMemberEmail, { params: { id }, body }))
      onSaved(
        changed,
        changed.emailChange
          ? `An email to ${email} asks for confirmation. Until then nothing changes.`
          : 'A second officer was asked by email. Nothing is sent to the member until the request is approved.',
      )
    },
  })
  const { email, reason } = form.problems
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
      <KeptFormMessages form={form} />
      <Field
        label="New email address"
        name="email"
        type="email"
        autoComplete="off"
        maxLength={254}
        {...(email && { error: email })}
      />
      <Field
        label="Reason for the audit log"
        name="reason"
        maxLength={300}
        autoComplete="off"
        {...(reason && { error: reason })}
      />
      <Button type="submit" busy={form.isSending} busyLabel="Asking">
        Ask the new address
      </Button>
    </form>
  )
}
