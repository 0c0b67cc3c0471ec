import type { RecordField } from '#contract/member-record/record-fields.ts'
import { limits } from '#contract/limits.ts'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { useBotCheck } from '#web/session/bot-check.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { readValues, useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { RecordControl } from '#web/shared/member-record/record-control.tsx'
import { controlLabels, readControls } from '#web/shared/member-record/record-form.rules.ts'
import type { FormValues } from '#web/forms/validate.rules.ts'
import { registrationErrorMessage, UnreachableError } from './registration-error.ts'
import { disabledReason, registrationFields, type RegistrationField } from './registration-fields.rules.ts'

const loadRules = () => import('./registration.rules.ts').catch(unreachable)
const loadSending = () => import('./submit-registration.ts').catch(unreachable)

function unreachable(cause: unknown): never {
  throw new UnreachableError('The rest of the form', { cause })
}

/** The typed values without the passwords; kept when the visitor goes back to the plans. */
export type RegistrationDraft = Readonly<Record<string, string>>

export interface RegistrationFormProps {
  level: MembershipLevel
  /** What members of this level are also asked. */
  fields: readonly RecordField[]
  links: { terms: string; privacy: string }
  draft: RegistrationDraft
  onDraft(draft: RegistrationDraft): void
  /** Called when the registration is waiting for email verification. */
  onRegistered(email: string): void
}

export function RegistrationForm({ level, fields, links, draft, onDraft, onRegistered }: RegistrationFormProps) {
  const botCheck = useBotCheck()
  const recordNames = fields.flatMap((field) => Object.keys(controlLabels('record', field)))
  const order = [...registrationFields.slice(0, -1), ...recordNames, 'agree']
  const form = useForm<string>({
    order,
    validatesOnChange: true,
    async loadCheck() {
      const { checkRegistration, checkControls } = await loadRules()
      return (values) => ({
        ...checkRegistration(values),
        ...checkControls('record', fields, values),
      })
    },
    prepare: loadSending,
    errorMessage: registrationErrorMessage,
    async send(values) {
      onDraft(withoutPasswords(values))
      const { submitRegistration: registerPerson } = await loadSending()
      const person = values as FormValues<RegistrationField>
      const record = Object.fromEntries(fields.map((field) => [field.key, readControls('record', field, values)]))
      await registerPerson({ values: person, levelKey: level.key, record, botCheck })
      onRegistered(person.email.trim())
    },
  })
  const { errors: problems, isSubmitting: isSending } = form
  // The form is not known to be valid before its check is loaded; if loading failed, submitting retries it.
  const isReady = form.isCheckLoaded ? form.isValid : form.hasCheckFailedToLoad
  const marked = Object.values(problems).filter(Boolean).length

  return (
    <form {...form.props} onBlur={(event) => onDraft(withoutPasswords(readValues(event.currentTarget, order)))}>
      <FormMessages form={form} />
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        maxLength={limits.email.max}
        defaultValue={draft.email}
        error={problems.email}
      />
      <Field
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={draft.username}
        hint="3 to 30 characters: letters, numbers, hyphens, underscores, periods and @."
        error={problems.username}
      />
      <div className="pair">
        <Field
          label="First name"
          name="firstName"
          autoComplete="given-name"
          maxLength={limits.personName.max}
          defaultValue={draft.firstName}
          error={problems.firstName}
        />
        <Field
          label="Last name"
          name="lastName"
          autoComplete="family-name"
          maxLength={limits.personName.max}
          defaultValue={draft.lastName}
          error={problems.lastName}
        />
      </div>
      <div className="pair">
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          hint={`At least ${limits.password.min} characters.`}
          error={problems.password}
        />
        <PasswordField
          label="Confirm password"
          name="confirmPassword"
          autoComplete="new-password"
          error={problems.confirmPassword}
        />
      </div>
      {fields.map((field) => (
        <RecordControl
          key={field.key}
          part="record"
          field={field}
          form={{
            text: (name) => ({ defaultValue: draft[name], error: problems[name] }),
            check: (name) => ({ defaultChecked: draft[name] === 'on' }),
          }}
        />
      ))}
      <Checkbox
        name="agree"
        label={
          <>
            I agree to the{' '}
            <Link to={links.terms} target="_blank" rel="noopener">
              terms and conditions
            </Link>{' '}
            and have read the{' '}
            <Link to={links.privacy} target="_blank" rel="noopener">
              privacy policy
            </Link>
            .
          </>
        }
        error={problems.agree}
      />
      <Button
        type="submit"
        disabled={!isReady}
        reason={isReady ? "Next, we'll email you a link to verify your address." : disabledReason(marked)}
        busy={isSending}
        busyLabel="Creating your account"
      >
        Create account
      </Button>
    </form>
  )
}

function withoutPasswords({
  password: _first,
  confirmPassword: _second,
  agree: _agree,
  ...rest
}: FormValues): RegistrationDraft {
  return rest
}
