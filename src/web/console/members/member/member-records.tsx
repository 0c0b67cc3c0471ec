import { resendEmail, type ConsoleMember } from '#contract/console/member.ts'
import { formatLongDate, formatMoment } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { AuditEntries } from '#web/console/officers/audit-entries.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Card } from '#web/ui/card.tsx'
import type { MemberEditor } from './use-member.ts'

const EMAIL_STATES = {
  waiting: ['quiet', 'Waiting'],
  sent: ['ok', 'Sent'],
  failed: ['bad', 'Failed'],
  dropped: ['quiet', 'Outdated, not sent'],
} as const

/** Emails to the member and their delivery status. */
export function MemberEmails({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  return (
    <Card title="Emails">
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
    </Card>
  )
}

const CREDENTIAL_STATES = {
  waiting: ['warn', 'Waiting'],
  approved: ['ok', 'Approved'],
  declined: ['bad', 'Declined'],
} as const

export function MemberCredentials({ member: { credentials, mayDecide } }: { member: ConsoleMember }) {
  return (
    <Card title="Credentials">
      {credentials.length === 0 && <p>None submitted.</p>}
      <ul className="records">
        {credentials.map(
          ({ id, kind, npi, licenceState, place, endsOn, givenAt, status, decidedAt, decidedBy, evidence }) => {
            const [tone, label] = CREDENTIAL_STATES[status]
            return (
              <li key={id}>
                <div>
                  <p>
                    {kind === 'licence'
                      ? `NPI ${npi}, license in ${licenceState}`
                      : `${kind === 'student' ? 'Student' : 'Resident or fellow'} at ${place}, until ${endsOn && formatDay(endsOn)}`}{' '}
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
          },
        )}
      </ul>
    </Card>
  )
}

export function MemberHistory({ history, accountId }: { history: ConsoleMember['history']; accountId: string }) {
  if (history.length === 0) return null
  return (
    <Card title="History">
      <AuditEntries entries={history} />
      <Link to={`/console/history?person=${accountId}`}>Show all in the audit log</Link>
    </Card>
  )
}
