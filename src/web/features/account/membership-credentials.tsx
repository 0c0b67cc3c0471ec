import { useEffect, useState } from 'react'
import { giveCredentials, givenCredentials, type Credentials } from '#contract/credentials.ts'
import { formatLongDate } from '#contract/dates.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsMember } from '#web/features/auth/call-as-member.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { problemsOf } from '#web/features/forms/problems.rules.ts'
import { useForm } from '#web/features/forms/use-form.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { Skeleton } from '#web/ui/waiting.tsx'
import { findCredentials } from './membership-credentials.calls.ts'

type State = { step: 'loading' } | { step: 'failed' } | { step: 'shown'; credentials: Credentials | null }

const STATUS = {
  waiting: { words: 'Waiting for our officers', tone: 'bad' },
  approved: { words: 'Verified', tone: 'ok' },
  declined: { words: 'Not verified', tone: 'bad' },
} as const

/** NPI and licence state: given here, verified by officers. The membership does not wait for it. */
export function MembershipCredentials() {
  const [state, setState] = useState<State>({ step: 'loading' })
  const [isEditing, setEditing] = useState(false)

  useEffect(() => {
    let isWanted = true
    void findCredentials()
      .then((credentials): State => ({ step: 'shown', credentials }))
      .catch((): State => ({ step: 'failed' }))
      .then((next) => isWanted && setState(next))
    return () => {
      isWanted = false
    }
  }, [])

  return (
    <Sheet title="Credentials">
      {state.step === 'loading' && <Skeleton height="4rem" />}
      {state.step === 'failed' && (
        <Banner tone="bad" role="alert">
          Your credentials could not be loaded. Please check your connection and open this page again.
        </Banner>
      )}
      {state.step === 'shown' && state.credentials && !isEditing && (
        <Given credentials={state.credentials} onChange={() => setEditing(true)} />
      )}
      {state.step === 'shown' && (isEditing || !state.credentials) && (
        <CredentialsForm
          credentials={state.credentials}
          onSaved={(credentials) => {
            setState({ step: 'shown', credentials })
            setEditing(false)
          }}
        />
      )}
    </Sheet>
  )
}

function Given({ credentials, onChange }: { credentials: Credentials; onChange(): void }) {
  const { npi, licenceState, status, givenAt, decidedAt, reason } = credentials
  return (
    <div className="flow">
      <p>
        <Badge tone={STATUS[status].tone}>{STATUS[status].words}</Badge>
      </p>
      {reason && <p>{reason}</p>}
      <KeyValueList
        items={[
          { label: 'NPI', value: npi },
          { label: 'Licence state', value: licenceState },
          { label: decidedAt ? 'Decided' : 'Given', value: formatLongDate(decidedAt ?? givenAt) },
        ]}
      />
      <Button variant="line" size="small" onClick={onChange}>
        Change credentials
      </Button>
    </div>
  )
}

const FIELDS = ['npi', 'licenceState'] as const

function CredentialsForm({
  credentials,
  onSaved,
}: {
  credentials: Credentials | null
  onSaved(credentials: Credentials): void
}) {
  const form = useForm({
    order: FIELDS,
    check: (values) => problemsOf(givenCredentials, values),
    explain: (failure) =>
      (failure instanceof CallFailure && failure.sentence) || 'Your credentials could not be saved. Please try again.',
    async send(values) {
      onSaved((await callAsMember(giveCredentials, { body: values })).credentials)
    },
  })

  return (
    <form {...form.props}>
      <p>If you are a physician, our officers verify your NPI and licence. Your membership does not wait for it.</p>
      <FormMessages form={form} />
      <div className="pair">
        <Field
          label="NPI"
          name="npi"
          inputMode="numeric"
          autoComplete="off"
          hint="Ten digits, from the national registry."
          defaultValue={credentials?.npi}
          error={form.problems.npi}
        />
        <Field
          label="Licence state"
          name="licenceState"
          autoComplete="off"
          maxLength={2}
          hint="Two letters, such as GA."
          defaultValue={credentials?.licenceState}
          error={form.problems.licenceState}
        />
      </div>
      <div className="buttons">
        <Button type="submit" size="small" busy={form.isSending} busyLabel="Saving">
          Send for verification
        </Button>
      </div>
    </form>
  )
}
