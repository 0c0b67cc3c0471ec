import { enableMember, type ConsoleMember } from '#contract/console/member.ts'
import { sourceName } from '#contract/console/subscribers.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { memberRights } from './member-rights.rules.ts'
import { resetPassword } from './member-acts.ts'
import type { MemberEditor } from './use-member.ts'

const NEWSLETTER: Record<string, string> = {
  pending: 'Not confirmed yet',
  subscribed: 'Subscribed',
  left: 'Unsubscribed',
  bounced: 'Bounced',
  complained: 'Marked as spam',
}

export function newsletterText({ newsletter }: ConsoleMember): string {
  return newsletter ? (NEWSLETTER[newsletter.state] ?? newsletter.state) : 'Not subscribed'
}

/** The member's profile and what is known about the account. */
export function MemberProfile({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const { id, email, username, name, joinedAt, newsletter, consents, devices } = member
  const rights = memberRights(member)
  return (
    <Panel
      title="Profile"
      action={
        rights.edit && (
          <Button variant="line" size="small" onClick={() => desk.openDialog('edit')}>
            Edit
          </Button>
        )
      }
    >
      <KeyValueList
        items={[
          { label: 'Name', value: `${name.first} ${name.last}` },
          { label: 'Email', value: <a href={`mailto:${email}`}>{email}</a> },
          { label: 'Username', value: username },
          { label: 'Member since', value: formatLongDate(joinedAt) },
          {
            label: 'Newsletter',
            value: newsletter
              ? `${newsletterText(member)} since ${formatLongDate(newsletter.since)} (${sourceName(newsletter.source)})`
              : 'Not subscribed',
          },
          {
            label: 'Agreed to',
            value:
              consents
                .map(({ kind, version, givenAt }) => `${kind} ${version}, ${formatLongDate(givenAt)}`)
                .join('; ') || 'Nothing recorded',
          },
          { label: 'Active sessions', value: String(devices) },
        ]}
      />
      <div className="buttons">
        {rights.reset && (
          <Button
            variant="line"
            size="small"
            busy={desk.action.busy === 'reset'}
            busyLabel="Sending"
            onClick={() => void resetPassword(member, desk)}
          >
            Send password reset
          </Button>
        )}
        {rights.disable && (
          <Button variant="line" size="small" onClick={() => desk.openDialog('disable')}>
            Disable account
          </Button>
        )}
        {rights.enable && (
          <Button
            size="small"
            busy={desk.action.busy === 'enable'}
            busyLabel="Enabling"
            onClick={() =>
              void desk.runAction(
                'enable',
                () => saveAsOfficer(enableMember, { params: { id }, body: {} }),
                `${name.first} ${name.last} can log in again. If the renewal was stopped, the member can resume it under Manage billing.`,
              )
            }
          >
            Enable account
          </Button>
        )}
      </div>
    </Panel>
  )
}
