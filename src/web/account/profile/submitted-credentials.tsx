import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import { kindOf, kindsInUse, nextCredentials, type CredentialKind } from '#contract/credentials/credential-kinds.ts'
import { formValues, shownAnswers } from '#contract/credentials/shown-answers.ts'
import type { Credentials } from '#contract/public/credentials.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { CredentialProof } from './credential-proof.tsx'
import { credentialsErrorMessage, saveCredentials } from './membership-credentials.calls.ts'

const STATUS = {
  waiting: { words: 'Waiting for review', tone: 'bad' },
  approved: { words: 'Verified', tone: 'ok' },
  declined: { words: 'Not verified', tone: 'bad' },
} as const

interface CredentialsGivenProps {
  credentials: Credentials
  kinds: readonly CredentialKind[]
  plansPath: string
  /** Focuses the change button on mount. */
  hasFocus: boolean
  onChange(): void
  onSaved(credentials: Credentials): void
}

/** The credentials on record, the officers' decision and their open question. */
export function SubmittedCredentials(props: CredentialsGivenProps) {
  const { credentials, kinds, hasFocus, onChange } = props
  const { status, givenAt, decidedAt, reason, question } = credentials
  const kind = kindOf(kinds, credentials.kind)
  return (
    <div className="flow">
      <p>
        <Badge tone={STATUS[status].tone}>{STATUS[status].words}</Badge>
      </p>
      {reason && <p>{reason}</p>}
      {question && <OpenQuestion {...props} question={question} />}
      <KeyValueList
        items={[
          ...shownAnswers(kind, credentials).map(({ label, text }) => ({ label, value: text })),
          { label: decidedAt ? 'Reviewed' : 'Submitted', value: formatLongDate(decidedAt ?? givenAt) },
        ]}
      />
      {kind.proof !== null && status === 'waiting' && (
        <p className="small soft">
          Our officers also need <CredentialProof proof={kind.proof} />.
        </p>
      )}
      {!question && kindsInUse(kinds).length > 0 && (
        <Button variant="line" size="small" autoFocus={hasFocus} onClick={onChange}>
          Change credentials
        </Button>
      )}
    </div>
  )
}

function OpenQuestion({
  credentials,
  kinds,
  question,
  plansPath,
  hasFocus,
  onChange,
  onSaved,
}: CredentialsGivenProps & { question: string }) {
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [today] = useState(() => dayOf(Date.now()))
  const kind = kindOf(kinds, credentials.kind)
  const isOver = credentials.endsOn !== null && credentials.endsOn < today

  async function confirm() {
    setSending(true)
    setFailure(null)
    try {
      onSaved(await saveCredentials(kind, formValues(kind, credentials)))
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
          If you are in practice now, enter {nextCredentials(kinds)}. If you are still in training, enter the new end
          date. Another level may suit you better:{' '}
          <Link to={plansPath}>see the levels and what a change costs you today</Link>.
        </p>
      )}
      {failure && <p role="alert">{failure}</p>}
      <div className="buttons">
        {!isOver && kind.fields.length > 0 && (
          <Button size="small" busy={isSending} busyLabel="Saving" onClick={() => void confirm()}>
            This is still correct
          </Button>
        )}
        {kindsInUse(kinds).length > 0 && (
          <Button variant={isOver ? 'solid' : 'line'} size="small" autoFocus={hasFocus} onClick={onChange}>
            {isOver ? 'Update credentials' : 'Change credentials'}
          </Button>
        )}
      </div>
    </Banner>
  )
}
