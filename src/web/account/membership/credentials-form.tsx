import { useState } from 'react'
import {
  giveCredentials,
  givenCredentials,
  givenTraining,
  giveTraining,
  type CredentialKind,
  type Credentials,
} from '#contract/credentials.ts'
import { callAsMember } from '#web/features/auth/call-as-member.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { problemsOf } from '#web/features/forms/problems.rules.ts'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldBox } from '#web/ui/field.tsx'
import { explainCredentials } from './membership-credentials.calls.ts'
import { TrainingProof } from './training-proof.tsx'

const KINDS: Record<CredentialKind, string> = {
  licence: 'A licensed physician',
  resident: 'A resident or fellow',
  student: 'A medical student',
}

interface CredentialsFormProps {
  /** Given before. */
  credentials: Credentials | null
  onSaved(credentials: Credentials): void
  /** Leaves what was given before as it is. */
  onCancel(): void
}

/** Physicians give NPI and licence; who is in training gives where, and until when. */
export function CredentialsForm({ suggested, ...props }: CredentialsFormProps & { suggested: CredentialKind }) {
  const { credentials } = props
  const [kind, setKind] = useState<CredentialKind>(credentials?.kind ?? suggested)
  return (
    <>
      <p>Our officers verify what you give here. Your membership does not wait for it.</p>
      <FieldBox id="credential-kind" label="I am">
        <select
          className="input"
          id="credential-kind"
          // What was given before is changed at a press, whose button is gone.
          autoFocus={credentials !== null}
          value={kind}
          onChange={(event) => setKind(event.target.value as CredentialKind)}
        >
          {Object.entries(KINDS).map(([key, words]) => (
            <option key={key} value={key}>
              {words}
            </option>
          ))}
        </select>
      </FieldBox>
      {kind === 'licence' ? <LicenceForm {...props} /> : <TrainingForm {...props} key={kind} stage={kind} />}
    </>
  )
}

const LICENCE_FIELDS = ['npi', 'licenceState'] as const

function LicenceForm({ credentials, onSaved, onCancel }: CredentialsFormProps) {
  const form = useForm({
    order: LICENCE_FIELDS,
    check: (values) => problemsOf(givenCredentials, values),
    explain: explainCredentials,
    async send(values) {
      onSaved((await callAsMember(giveCredentials, { body: values })).credentials)
    },
  })
  return (
    <form {...form.props}>
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
          label="License state"
          name="licenceState"
          autoComplete="off"
          maxLength={2}
          hint="Two letters, such as GA."
          defaultValue={credentials?.licenceState}
          error={form.problems.licenceState}
        />
      </div>
      <Buttons isSending={form.isSending} onCancel={credentials && onCancel} />
    </form>
  )
}

const TRAINING_FIELDS = ['place', 'endsOn'] as const

function TrainingForm({
  stage,
  credentials,
  onSaved,
  onCancel,
}: CredentialsFormProps & { stage: 'student' | 'resident' }) {
  const form = useForm({
    order: TRAINING_FIELDS,
    check: (values) => problemsOf(givenTraining, { stage, ...values }),
    explain: explainCredentials,
    async send(values) {
      onSaved((await callAsMember(giveTraining, { body: { stage, ...values } })).credentials)
    },
  })
  const isStudent = stage === 'student'
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <div className="pair">
        <Field
          label={isStudent ? 'Medical school' : 'Program'}
          name="place"
          autoComplete="organization"
          maxLength={120}
          hint={isStudent ? undefined : 'Hospital and specialty.'}
          defaultValue={credentials?.place ?? undefined}
          error={form.problems.place}
        />
        <Field
          label={isStudent ? 'Expected graduation' : 'End of training'}
          name="endsOn"
          type="date"
          hint="As far as you know today. We ask again when it has passed."
          defaultValue={credentials?.endsOn ?? undefined}
          error={form.problems.endsOn}
        />
      </div>
      <div className="flow">
        <p className="small soft">
          Our officers also ask for <TrainingProof isStudent={isStudent} />.
        </p>
        <Buttons isSending={form.isSending} onCancel={credentials && onCancel} />
      </div>
    </form>
  )
}

/** Where nothing was given before there is nothing to go back to. */
function Buttons({ isSending, onCancel }: { isSending: boolean; onCancel: (() => void) | null }) {
  return (
    <div className="buttons">
      <Button type="submit" size="small" busy={isSending} busyLabel="Saving">
        Send for verification
      </Button>
      {onCancel && (
        <Button variant="line" size="small" disabled={isSending} onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  )
}
