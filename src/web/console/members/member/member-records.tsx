import { resendLetter, type ConsoleMember } from '#contract/console-member.ts'
import { formatLongDate, formatMoment } from '#contract/dates.ts'
import { writeDay } from '#contract/days.ts'
import { AuditEntries } from '#web/features/console/audit-entries.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import type { MemberDesk } from './use-member.ts'

const LETTER_STATES = {
  waiting: ['quiet', 'Waiting'],
  sent: ['ok', 'Sent'],
  failed: ['bad', 'Failed'],
  dropped: ['quiet', 'No longer true, not sent'],
} as const

/** Letters to somebody and what became of them. */
export function MemberLetters({ member, desk }: { member: ConsoleMember; desk: MemberDesk }) {
  return (
    <Sheet title="Letters">
      {member.letters.length === 0 && <p>None lately.</p>}
      <ul className="records">
        {member.letters.map(({ id, what, at, state, detail, maySendAgain }, index) => {
          const [tone, word] = LETTER_STATES[state]
          return (
            <li key={id ?? index}>
              <div>
                <p>
                  {what} <Badge tone={tone}>{word}</Badge>
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
                  busyLabel="Trying"
                  onClick={() =>
                    void desk.act(
                      id,
                      () => callAsOfficer(resendLetter, { params: { id: member.id, letter: id }, body: {} }),
                      `${what} is tried again.`,
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
    </Sheet>
  )
}

const CREDENTIAL_STATES = {
  waiting: ['warn', 'Waiting'],
  approved: ['ok', 'Approved'],
  declined: ['bad', 'Declined'],
} as const

export function MemberCredentials({ member: { credentials, mayDecide } }: { member: ConsoleMember }) {
  return (
    <Sheet title="Credentials">
      {credentials.length === 0 && <p>None given.</p>}
      <ul className="records">
        {credentials.map(
          ({ id, kind, npi, licenceState, place, endsOn, givenAt, status, decidedAt, decidedBy, evidence }) => {
            const [tone, word] = CREDENTIAL_STATES[status]
            return (
              <li key={id}>
                <div>
                  <p>
                    {kind === 'licence'
                      ? `NPI ${npi}, license in ${licenceState}`
                      : `${kind === 'student' ? 'Student' : 'Resident or fellow'} at ${place}, until ${endsOn && writeDay(endsOn)}`}{' '}
                    <Badge tone={tone}>{word}</Badge>
                  </p>
                  <p className="small soft">
                    Given {formatLongDate(givenAt)}
                    {decidedAt && ` · decided ${formatLongDate(decidedAt)} by ${decidedBy}: ${evidence}`}
                  </p>
                </div>
                {status === 'waiting' && mayDecide && <Link to="/console/credentials">To the desk</Link>}
              </li>
            )
          },
        )}
      </ul>
    </Sheet>
  )
}

export function MemberHistory({ history, accountId }: { history: ConsoleMember['history']; accountId: string }) {
  if (history.length === 0) return null
  return (
    <Sheet title="History">
      <AuditEntries entries={history} />
      <Link to={`/console/history?person=${accountId}`}>Show all in the audit log</Link>
    </Sheet>
  )
}
