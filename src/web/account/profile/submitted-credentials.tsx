import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import type { Credentials } from '#contract/public/credentials.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { credentialsErrorMessage, reconfirmCredentials } from './membership-credentials.calls.ts'
import { TrainingProof } from './training-proof.tsx'

const STATUS = {
  waiting: { words: 'Waiting for review', tone: 'bad' },
  approved: { words: 'Verified', tone: 'ok' },
  declined: { words: 'Not verified', tone: 'bad' },
} as const

interface CredentialsGivenProps {
  credentials: Credentials
  plansPath: string
  /** Focuses the change button on mount. */
  hasFocus: boolean
  onChange(): void
  onSaved(credentials: Credentials): void
}

/** The credentials on record, the officers' decision and their open question. */
export function SubmittedCredentials(props: CredentialsGivenProps) {
  const { credentials, hasFocus, onChange } = props
  const { kind, npi, licenceState, place, endsOn, status, givenAt, decidedAt, reason, question } = credentials
  return (
    <div className="flow">
      <p>
        <Badge tone={STATUS[status].tone}>{STATUS[status].words}</Badge>
      </p>
      {reason && <p>{reason}</p>}
      {question && <OpenQuestion {...props} question={question} />}
      <KeyValueList
        items={[
          ...(kind === 'licence'
            ? [
                { label: 'NPI', value: npi },
                { label: 'License state', value: licenceState },
              ]
            : [
                { label: kind === 'student' ? 'School' : 'Program', value: place },
                { label: kind === 'student' ? 'Graduation' : 'End of training', value: endsOn && formatDay(endsOn) },
              ]),
          { label: decidedAt ? 'Reviewed' : 'Submitted', value: formatLongDate(decidedAt ?? givenAt) },
        ]}
      />
      {kind !== 'licence' && status === 'waiting' && (
        <p className="small soft">
          Our officers also need <TrainingProof isStudent={kind === 'student'} />.
        </p>
      )}
      {!question && (
        <Button variant="line" size="small" autoFocus={hasFocus} onClick={onChange}>
          Change credentials
        </Button>
      )}
    </div>
  )
}

function OpenQuestion({
  credentials,
  question,
  plansPath,
  hasFocus,
  onChange,
  onSaved,
}: CredentialsGivenProps & { question: string }) {
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [today] = useState(() => dayOf(Date.now()))
  const isOver = credentials.endsOn !== null && credentials.endsOn < today

  async function confirm() {
    setSending(true)
    setFailure(null)
    try {
      onSaved(await reconfirmCredentials(credentials))
    } catch (cause) {
      setFailure(credentialsErrorMessage(cause))
      setSending(false)
    }
  }

  return (
    <Banner tone="warn" title="Our officers have a question">
      <p>{question}</p>
      {isOver && (
        <p>
          If you are in practice now, enter your NPI and license. If you are still in training, enter the new end date.
          Another level may suit you better:{' '}
          <Link to={plansPath}>see the levels and what a change costs you today</Link>.
        </p>
      )}
      {failure && <p role="alert">{failure}</p>}
      <div className="buttons">
        {!isOver && (
          <Button size="small" busy={isSending} busyLabel="Saving" onClick={() => void confirm()}>
            This is still correct
          </Button>
        )}
        <Button variant={isOver ? 'solid' : 'line'} size="small" autoFocus={hasFocus} onClick={onChange}>
          {isOver ? 'Update credentials' : 'Change credentials'}
        </Button>
      </div>
    </Banner>
  )
}
