import { useState } from 'react'
import {
  submitCredentials,
  credentialsBody,
  trainingBody,
  submitTraining,
  type CredentialKind,
  type Credentials,
} from '#contract/public/credentials.ts'
import { callAsMember } from '#web/session/call-as-member.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { validate } from '#web/forms/validate.rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { Field, FieldBox } from '#web/ui/field.tsx'
import { credentialsErrorMessage } from './membership-credentials.calls.ts'
import { FormButtons } from '../form-buttons.tsx'
import { TrainingProof } from './training-proof.tsx'

const KINDS: Record<CredentialKind, string> = {
  licence: 'A licensed physician',
  resident: 'A resident or fellow',
  student: 'A medical student',
}

interface CredentialsFormProps {
  /** The credentials on record. */
  credentials: Credentials | null
  onSaved(credentials: Credentials): void
  /** Keeps the credentials on record. */
  onCancel(): void
}

/** Physicians enter NPI and license; trainees enter where they train and until when. */
export function CredentialsForm({ suggested, ...props }: CredentialsFormProps & { suggested: CredentialKind }) {
  const { credentials } = props
  const [kind, setKind] = useState<CredentialKind>(credentials?.kind ?? suggested)
  return (
    <>
      <p>Our officers verify what you enter here. Your membership does not depend on it.</p>
      <FieldBox id="credential-kind" label="I am">
        <select
          className="input"
          id="credential-kind"
          // The button that opened the form is gone, so this takes the focus.
          autoFocus={credentials !== null}
          value={kind}
          onChange={(event) => setKind(event.target.value as CredentialKind)}
        >
          {Object.entries(KINDS).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
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
    check: (values) => validate(credentialsBody, values),
    errorMessage: credentialsErrorMessage,
    async send(values) {
      onSaved((await callAsMember(submitCredentials, { body: values })).credentials)
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
          error={form.errors.npi}
        />
        <Field
          label="License state"
          name="licenceState"
          autoComplete="off"
          maxLength={2}
          hint="Two letters, such as GA."
          defaultValue={credentials?.licenceState}
          error={form.errors.licenceState}
        />
      </div>
      <FormButtons
        label="Submit for verification"
        busyLabel="Saving"
        isSubmitting={form.isSubmitting}
        onCancel={credentials && onCancel}
      />
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
    check: (values) => validate(trainingBody, { stage, ...values }),
    errorMessage: credentialsErrorMessage,
    async send(values) {
      onSaved((await callAsMember(submitTraining, { body: { stage, ...values } })).credentials)
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
          error={form.errors.place}
        />
        <Field
          label={isStudent ? 'Expected graduation' : 'End of training'}
          name="endsOn"
          type="date"
          hint="Your best estimate. We'll check with you after that date."
          defaultValue={credentials?.endsOn ?? undefined}
          error={form.errors.endsOn}
        />
      </div>
      <div className="flow">
        <p className="small soft">
          Our officers also ask for <TrainingProof isStudent={isStudent} />.
        </p>
        <FormButtons
          label="Submit for verification"
          busyLabel="Saving"
          isSubmitting={form.isSubmitting}
          onCancel={credentials && onCancel}
        />
      </div>
    </form>
  )
}
