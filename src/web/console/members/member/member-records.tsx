import { kindOf } from '#contract/credentials/credential-kinds.ts'
import { credentialSummary } from '#contract/credentials/shown-answers.ts'
import { resendEmail, type ConsoleMember } from '#contract/console/member.ts'
import { formatLongDate, formatMoment } from '#contract/dates/dates.ts'
import { listCredentialKinds } from '#contract/public/credentials.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { memberRights } from './member-rights.rules.ts'
import { newsletterText } from './member-profile.tsx'
import type { MemberEditor } from './use-member.ts'

const EMAIL_STATES = {
  waiting: ['quiet', 'Queued'],
  sent: ['ok', 'Delivered'],
  failed: ['bad', 'Failed'],
  dropped: ['quiet', 'Not sent'],
} as const

/** Emails to the member and their delivery status. */
export function MemberEmails({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  return (
    <Panel title="Emails">
      {member.letters.length === 0 && <p>No recent emails.</p>}
      <ul className="records">
        {member.letters.map(({ id, what, at, state, detail, maySendAgain }, index) => {
          const [tone, label] = EMAIL_STATES[state]
          return (
            <li key={id ?? index}>
              <div>
                <p>
                  {what} <Badge tone={tone}>{label}</Badge>
                </p>
                <p className="small soft">
                  {formatMoment(at)}
                  {detail && ` · ${detail}`}
                </p>
              </div>
              {id !== null && maySendAgain && member.mayChange && (
                <Button
                  variant="line"
                  size="small"
                  aria-label={`Try ${what} again`}
                  busy={desk.action.busy === id}
                  busyLabel="Retrying"
                  onClick={() =>
                    void desk.runAction(
                      id,
                      () => saveAsOfficer(resendEmail, { params: { id: member.id, letter: id }, body: {} }),
                      `${what} is being sent again.`,
                    )
                  }
                >
                  Try again
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

const CREDENTIAL_STATES = {
  waiting: ['warn', 'To review'],
  approved: ['ok', 'Verified'],
  declined: ['bad', 'Declined'],
} as const

export function MemberCredentials({ member: { credentials, mayDecide } }: { member: ConsoleMember }) {
  const known = useLoaded(listCredentialKinds)
  return (
    <Panel title="Credentials">
      {credentials.length === 0 && <p>Not provided.</p>}
      <ul className="records">
        {credentials.map((credential) => {
          const { id, kind, givenAt, status, decidedAt, decidedBy, evidence } = credential
          const [tone, label] = CREDENTIAL_STATES[status]
          return (
            <li key={id}>
              <div>
                <p>
                  {known.value && credentialSummary(kindOf(known.value.kinds, kind), credential).join(', ')}{' '}
                  <Badge tone={tone}>{label}</Badge>
                </p>
                <p className="small soft">
                  Submitted {formatLongDate(givenAt)}
                  {decidedAt && ` · decided ${formatLongDate(decidedAt)} by ${decidedBy}: ${evidence}`}
                </p>
              </div>
              {status === 'waiting' && mayDecide && <Link to="/console/credentials">Review</Link>}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

/** How to reach the member. */
export function MemberContact({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const { email, username } = member
  return (
    <Panel
      title="Contact"
      action={
        memberRights(member).edit && (
          <button type="button" className="text-button" onClick={() => desk.openDialog('edit')}>
            Edit
          </button>
        )
      }
    >
      <KeyValueList
        items={[
          { label: 'Email', value: <a href={`mailto:${email}`}>{email}</a> },
          { label: 'Username', value: username },
          { label: 'Newsletter', value: newsletterText(member) },
        ]}
      />
    </Panel>
  )
}
