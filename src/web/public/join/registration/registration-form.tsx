import { limits } from '#contract/limits.ts'
import type { MembershipLevel } from '#contract/membership.ts'
import { useBotCheck } from '#web/features/auth/bot-check.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { readValues, useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { explainRegistration, Unreachable } from './registration-failure.ts'
import { reasonToWait, registrationFields, type RegistrationField } from './registration-fields.rules.ts'

const loadRules = () => import('./registration.rules.ts').catch(unreachable)
const loadSending = () => import('./register-person.ts').catch(unreachable)

function unreachable(cause: unknown): never {
  throw new Unreachable('The rest of the form', { cause })
}

/** What was typed before, without the passwords: it survives going back to the plans. */
export type RegistrationDraft = Partial<Record<RegistrationField, string>>

export interface RegistrationFormProps {
  level: MembershipLevel
  links: { terms: string; privacy: string }
  draft: RegistrationDraft
  onDraft(draft: RegistrationDraft): void
  /** The registration waits for its address to be verified. */
  onRegistered(email: string): void
}

export function RegistrationForm({ level, links, draft, onDraft, onRegistered }: RegistrationFormProps) {
  const botCheck = useBotCheck()
  const form = useForm({
    order: registrationFields,
    tellsOnChange: true,
    loadCheck: async () => (await loadRules()).checkRegistration,
    prepare: loadSending,
    explain: explainRegistration,
    async send(values) {
      const { email, username, firstName, lastName } = values
      onDraft({ email, username, firstName, lastName })
      const { registerPerson } = await loadSending()
      await registerPerson({ values, levelKey: level.key, botCheck })
      onRegistered(email.trim())
    },
  })
  const { problems, isSending } = form
  // Before its rules are there nothing is known to be right; without them sending is the way to them.
  const isReady = form.isChecked ? form.isValid : form.isCheckMissing
  const marked = Object.values(problems).filter(Boolean).length

  return (
    <form {...form.props} onBlur={(event) => onDraft(readDraft(event.currentTarget))}>
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
        reason={isReady ? 'Next we email you a link to verify your address.' : reasonToWait(marked)}
        busy={isSending}
        busyLabel="Creating your account"
      >
        Create account
      </Button>
    </form>
  )
}

function readDraft(form: HTMLFormElement): RegistrationDraft {
  const { email, username, firstName, lastName } = readValues(form, registrationFields)
  return { email, username, firstName, lastName }
}
