import { useState } from 'react'
import {
  disableMember,
  editMember,
  enableMember,
  sendPasswordReset,
  type ConsoleMember,
} from '#contract/console/member.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Card } from '#web/ui/card.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import type { MemberEditor } from './use-member.ts'

const NEWSLETTER: Record<string, string> = {
  pending: 'not confirmed yet,',
  subscribed: 'subscribed',
  left: 'unsubscribed',
  bounced: 'bounced',
  complained: 'marked as spam',
}

/** The member's profile and account access. */
export function MemberProfile({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const [dialog, setDialog] = useState<'edit' | 'disable' | null>(null)
  const { id, email, username, name, joinedAt, newsletter, consents, devices, state, mayChange } = member
  const close = () => setDialog(null)
  const params = { id }
  const isOpen = state !== 'DISABLED' && state !== 'LEFT'
  const isMerged = member.merges.some(({ isKept, undoneAt }) => !isKept && undoneAt === null)
  return (
    <Card
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
          { label: 'Active sessions', value: String(devices) },
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
                void desk.runAction(
                  'reset',
                  () => saveAsOfficer(sendPasswordReset, { params, body: {} }),
                  `We’ve sent a password reset email to ${email}.`,
                )
              }
            >
              Send password reset
            </Button>
          )}
          {isOpen && (
            <Button variant="line" size="small" onClick={() => setDialog('disable')}>
              Disable account
            </Button>
          )}
          {state === 'DISABLED' && !isMerged && (
            <Button
              size="small"
              busy={desk.action.busy === 'enable'}
              busyLabel="Enabling"
              onClick={() =>
                void desk.runAction(
                  'enable',
                  () => saveAsOfficer(enableMember, { params, body: {} }),
                  `${name.first} ${name.last} can log in again. If the renewal was stopped, the member can resume it under Manage billing.`,
                )
              }
            >
              Enable account
            </Button>
          )}
        </div>
      )}
      <Dialog open={dialog === 'edit'} onClose={close} title="Edit profile" width="34rem">
        {dialog === 'edit' && (
          <EditForm
            member={member}
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
        doing={{ label: 'Disable account', busyLabel: 'Disabling', isDanger: true }}
        send={async (reason) => {
          desk.loaded.setValue(await saveAsOfficer(disableMember, { params, body: { reason } }))
          close()
        }}
      >
        <p>
          {name.first} {name.last} is signed out everywhere and cannot log in until an officer enables the account.
          Nothing more is charged; the paid term still runs to its end.
        </p>
      </ReasonDialog>
    </Card>
  )
}

const FIELDS = { firstName: 'First name', lastName: 'Last name', username: 'Username' }

interface EditFormProps {
  member: ConsoleMember
  onSaved(member: ConsoleMember): void
}

function EditForm({ member, onSaved }: EditFormProps) {
  const seen = { username: member.username, firstName: member.name.first, lastName: member.name.last }
  const form = useDraftForm(`profile:${member.id}`, {
    fields: FIELDS,
    saved: seen,
    errorMessage: officerErrorMessage,
    async send({ username, firstName, lastName }) {
      const body = { username, firstName, lastName, seen }
      onSaved(await saveAsOfficer(editMember, { params: { id: member.id }, body }))
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <div className="pair">
        <Field {...form.field('firstName')} autoComplete="off" />
        <Field {...form.field('lastName')} autoComplete="off" />
      </div>
      <Field
        {...form.field('username')}
        autoComplete="off"
        hint="To change the email address, use Account; the new address has to confirm it."
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}
