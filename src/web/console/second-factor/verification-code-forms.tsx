import { officerLimits } from '#contract/access.ts'
import { proveSecondFactor } from '#contract/console.ts'
import { messages } from '#contract/messages.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { callAsOfficer, explainToOfficer } from './console-door.ts'

const CODE = ['code'] as const
const PASSWORD = ['password'] as const

/** The code of the app, or a recovery code. */
export function CodeForm({ label, hasApp, onProved }: { label: string; hasApp: boolean; onProved(): void }) {
  const form = useForm({
    order: CODE,
    check: ({ code }) => checkCode(code, hasApp ? messages.officer.code : messages.officer.recoveryCode),
    explain: explainToOfficer,
    async send({ code }) {
      await callAsOfficer(proveSecondFactor, { body: { code } })
      onProved()
    },
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      {hasApp ? (
        <CodeField error={form.problems.code} hint="No phone at hand? Enter one of your recovery codes instead." />
      ) : (
        <CodeField
          label="Recovery code"
          error={form.problems.code}
          hint="One of the ten you kept. Each opens the console once."
        />
      )}
      <Button type="submit" busy={form.isSending} busyLabel="Checking the code">
        {label}
      </Button>
    </form>
  )
}

export function CodeField({
  label = 'Code of your authenticator app',
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

/** The password, before something that opens the console is set up. */
export function OfficerPasswordForm({ label, send }: { label: string; send(password: string): Promise<void> }) {
  const form = useForm({
    order: PASSWORD,
    check: ({ password }) => (password === '' ? { password: messages.password.required } : {}),
    explain: explainToOfficer,
    send: ({ password }) => send(password),
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        hint={`Officers' passwords have at least ${officerLimits.passwordMin} characters.`}
        error={form.problems.password}
      />
      <Button type="submit" busy={form.isSending} busyLabel="Checking the password">
        {label}
      </Button>
    </form>
  )
}
