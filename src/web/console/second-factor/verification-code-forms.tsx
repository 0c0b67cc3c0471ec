import { officerLimits } from '#contract/access.ts'
import { verifySecondFactor } from '#contract/console/console.ts'
import { messages } from '#contract/messages.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'

const CODE = ['code'] as const
const PASSWORD = ['password'] as const

/** Verifies an authenticator code or a recovery code. */
export function SecondFactorCodeForm({
  label,
  hasApp,
  onProved,
}: {
  label: string
  hasApp: boolean
  onProved(): void
}) {
  const form = useForm({
    order: CODE,
    check: ({ code }) => checkCode(code, hasApp ? messages.officer.code : messages.officer.recoveryCode),
    errorMessage: officerErrorMessage,
    async send({ code }) {
      await callAsOfficer(verifySecondFactor, { body: { code } })
      onProved()
    },
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      {hasApp ? (
        <CodeField error={form.errors.code} hint="No phone? Enter a recovery code instead." />
      ) : (
        <CodeField
          label="Recovery code"
          error={form.errors.code}
          hint="One of the ten you saved. Each code works once."
        />
      )}
      <Button type="submit" busy={form.isSubmitting} busyLabel="Checking">
        {label}
      </Button>
    </form>
  )
}

export function CodeField({
  label = 'Authenticator code',
  error,
  hint,
}: {
  label?: string
  error: string | undefined
  hint: string
}) {
  return (
    <Field
      label={label}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      hint={hint}
      {...(error !== undefined && { error })}
    />
  )
}

export function checkCode(code: string, sentence: string = messages.officer.code): { code?: string } {
  return code.trim() === '' ? { code: sentence } : {}
}

/** Asks for the password before a second factor is set up. */
export function ConfirmPasswordForm({ label, send }: { label: string; send(password: string): Promise<void> }) {
  const form = useForm({
    order: PASSWORD,
    check: ({ password }) => (password === '' ? { password: messages.password.required } : {}),
    errorMessage: officerErrorMessage,
    send: ({ password }) => send(password),
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        hint={`Officers’ passwords have at least ${officerLimits.passwordMin} characters.`}
        error={form.errors.password}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Checking">
        {label}
      </Button>
    </form>
  )
}
