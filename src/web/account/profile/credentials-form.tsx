import { useState, type ComponentProps } from 'react'
import { ANSWER_MAX, checkAnswers } from '#contract/credentials/check-answers.ts'
import { kindsInUse, type CredentialCheck, type CredentialKind } from '#contract/credentials/credential-kinds.ts'
import { answerTo } from '#contract/credentials/shown-answers.ts'
import type { Credentials } from '#contract/public/credentials.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Field, FieldBox } from '#web/ui/field.tsx'
import { credentialsErrorMessage, saveCredentials } from './membership-credentials.calls.ts'
import { FormButtons } from '../form-buttons.tsx'
import { CredentialProof } from './credential-proof.tsx'

interface CredentialsFormProps {
  /** The credentials on record. */
  credentials: Credentials | null
  onSaved(credentials: Credentials): void
  /** Keeps the credentials on record. */
  onCancel(): void
}

/** What the association asks for: of several kinds the member chooses one. */
export function CredentialsForm({
  kinds,
  suggested,
  ...props
}: CredentialsFormProps & { kinds: readonly CredentialKind[]; suggested: CredentialKind }) {
  const { credentials } = props
  const choices = kindsInUse(kinds)
  const [chosen, setChosen] = useState(credentials?.kind)
  const kind = choices.find(({ key }) => key === chosen) ?? suggested
  return (
    <>
      <p>Our officers verify what you enter here. Your membership does not depend on it.</p>
      {choices.length > 1 && (
        <FieldBox id="credential-kind" label="I am">
          <select
            className="input"
            id="credential-kind"
            // The button that opened the form is gone, so this takes the focus.
            autoFocus={credentials !== null}
            value={kind.key}
            onChange={(event) => setChosen(event.target.value)}
          >
            {choices.map(({ key, statement }) => (
              <option key={key} value={key}>
                {statement}
              </option>
            ))}
          </select>
        </FieldBox>
      )}
      <KindForm {...props} key={kind.key} kind={kind} takesFocus={credentials !== null && choices.length === 1} />
    </>
  )
}

const CONTROLS: Partial<Record<CredentialCheck, ComponentProps<'input'>>> = {
  npi: { inputMode: 'numeric', autoComplete: 'off' },
  digits: { inputMode: 'numeric', autoComplete: 'off', maxLength: ANSWER_MAX },
  'us-state': { autoComplete: 'off', maxLength: 2 },
  place: { autoComplete: 'organization', maxLength: ANSWER_MAX },
  end: { type: 'date' },
  year: { inputMode: 'numeric', autoComplete: 'off', maxLength: 4 },
}
const TEXT: ComponentProps<'input'> = { autoComplete: 'off', maxLength: ANSWER_MAX }

function KindForm({
  kind,
  takesFocus,
  credentials,
  onSaved,
  onCancel,
}: CredentialsFormProps & { kind: CredentialKind; takesFocus: boolean }) {
  const form = useForm({
    order: kind.fields.map(({ key }) => key),
    check: (values) => checkAnswers(kind, values).errors,
    errorMessage: credentialsErrorMessage,
    send: async (values) => onSaved(await saveCredentials(kind, values)),
  })
  const buttons = (
    <FormButtons
      label="Submit for verification"
      busyLabel="Saving"
      isSubmitting={form.isSubmitting}
      onCancel={credentials && onCancel}
    />
  )
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <div className="pair">
        {kind.fields.map((field, index) => (
          <Field
            {...(CONTROLS[field.check] ?? TEXT)}
            key={field.key}
            label={field.isOptional ? `${field.label} (optional)` : field.label}
            name={field.key}
            autoFocus={takesFocus && index === 0}
            hint={field.hint ?? undefined}
            defaultValue={credentials ? answerTo(field, credentials) : undefined}
            error={form.errors[field.key]}
          />
        ))}
      </div>
      {kind.proof === null ? (
        buttons
      ) : (
        <div className="flow">
          <p className="small soft">
            Our officers also ask for <CredentialProof proof={kind.proof} />.
          </p>
          {buttons}
        </div>
      )}
    </form>
  )
}
