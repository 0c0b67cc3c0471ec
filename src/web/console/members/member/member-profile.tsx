import { useState } from 'react'
import {
  disableMember,
  editMember,
  enableMember,
  sendResetLetter,
  type ConsoleMember,
} from '#contract/console-member.ts'
import { formatLongDate } from '#contract/dates.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { heedOthers, useOvertaken } from '#web/features/console/heed-others.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { SaysNow } from '#web/features/console/says-now.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import type { MemberDesk } from './use-member.ts'

const NEWSLETTER: Record<string, string> = {
  pending: 'asked for, not confirmed',
  subscribed: 'subscribed',
  left: 'left',
  bounced: 'letters came back',
  complained: 'complained',
}

/** Who somebody is, and the way into the account. */
export function MemberProfile({ member, desk }: { member: ConsoleMember; desk: MemberDesk }) {
  const [dialog, setDialog] = useState<'edit' | 'disable' | null>(null)
  const { id, email, username, name, joinedAt, newsletter, consents, devices, state, mayChange } = member
  const close = () => setDialog(null)
  const params = { id }
  const isOpen = state !== 'DISABLED' && state !== 'LEFT'
  const isMerged = member.merges.some(({ isKept, undoneAt }) => !isKept && undoneAt === null)
  return (
    <Sheet
      title="Profile"
      aside={
        mayChange &&
        isOpen && (
          <Button variant="line" size="small" onClick={() => setDialog('edit')}>
            Edit
          </Button>
        )
      }
    >
      <KeyValueList
        items={[
          { label: 'Email', value: <a href={`mailto:${email}`}>{email}</a> },
          { label: 'Username', value: username },
          { label: 'Joined', value: formatLongDate(joinedAt) },
          {
            label: 'Newsletter',
            value: newsletter
              ? `${NEWSLETTER[newsletter.state] ?? newsletter.state} since ${formatLongDate(newsletter.since)} (${newsletter.source})`
              : 'not subscribed',
          },
          {
            label: 'Agreed to',
            value:
              consents
                .map(({ kind, version, givenAt }) => `${kind} ${version}, ${formatLongDate(givenAt)}`)
                .join('; ') || 'nothing recorded',
          },
          { label: 'Signed in on', value: devices === 1 ? '1 device' : `${devices} devices` },
        ]}
      />
      {mayChange && (
        <div className="buttons">
          {isOpen && (
            <Button
              variant="line"
              size="small"
              busy={desk.action.busy === 'reset'}
              busyLabel="Sending"
              onClick={() =>
                void desk.act(
                  'reset',
                  () => callAsOfficer(sendResetLetter, { params, body: {} }),
                  `A letter with a link to choose a new password goes to ${email}.`,
                )
              }
            >
              Send a password letter
            </Button>
          )}
          {isOpen && (
            <Button variant="line" size="small" onClick={() => setDialog('disable')}>
              Disable the account
            </Button>
          )}
          {state === 'DISABLED' && !isMerged && (
            <Button
              size="small"
              busy={desk.action.busy === 'enable'}
              busyLabel="Enabling"
              onClick={() =>
                void desk.act(
                  'enable',
                  () => callAsOfficer(enableMember, { params, body: {} }),
                  `${name.first} ${name.last} can log in again. A renewal that was stopped is resumed by the member, under Manage billing.`,
                )
              }
            >
              Enable the account
            </Button>
          )}
        </div>
      )}
      <Dialog open={dialog === 'edit'} onClose={close} title="Edit the profile" width="34rem">
        {dialog === 'edit' && (
          <EditForm
            member={member}
            reload={desk.loaded.reload}
            onSaved={(changed) => {
              desk.loaded.setValue(changed)
              close()
            }}
          />
        )}
      </Dialog>
      <ReasonDialog
        open={dialog === 'disable'}
        onClose={close}
        title="Disable this account?"
        doing={{ label: 'Disable the account', busyLabel: 'Disabling', isDanger: true }}
        send={async (reason) => {
          const disable = () => callAsOfficer(disableMember, { params, body: { reason } })
          desk.loaded.setValue(await heedOthers(desk.loaded.reload, disable))
          close()
        }}
      >
        <p>
          {name.first} {name.last} is logged out everywhere and cannot log in until an officer enables the account
          again. Nothing more is charged; what is paid for runs out.
        </p>
      </ReasonDialog>
    </Sheet>
  )
}

const FIELDS = ['firstName', 'lastName', 'username'] as const

interface EditFormProps {
  member: ConsoleMember
  onSaved(member: ConsoleMember): void
  reload(): void
}

function EditForm({ member, onSaved, reload }: EditFormProps) {
  const seen = { username: member.username, firstName: member.name.first, lastName: member.name.last }
  const form = useKeptForm(`profile:${member.id}`, {
    order: FIELDS,
    explain: explainToOfficer,
    async send({ username, firstName, lastName }) {
      const body = { username, firstName, lastName, seen }
      onSaved(await heedOthers(reload, () => callAsOfficer(editMember, { params: { id: member.id }, body })))
    },
  })
  const overtaken = useOvertaken(form.props.ref, seen, form.found)
  const { firstName, lastName, username } = form.problems
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <SaysNow overtaken={overtaken} />
      <div className="pair">
        <Field
          label="First name"
          name="firstName"
          autoComplete="off"
          defaultValue={seen.firstName}
          {...(firstName && { error: firstName })}
        />
        <Field
          label="Last name"
          name="lastName"
          autoComplete="off"
          defaultValue={seen.lastName}
          {...(lastName && { error: lastName })}
        />
      </div>
      <Field
        label="Username"
        name="username"
        autoComplete="off"
        defaultValue={seen.username}
        hint="The email address is changed under Account; the new address has to confirm it."
        {...(username && { error: username })}
      />
      <Button type="submit" busy={form.isSending} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}
