import { errorMessage } from '#web/forms/error-message.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { useBotCheck } from '#web/session/bot-check.ts'
import { ResetError } from './reset-error.ts'

const FIELDS = ['email'] as const
const loadCalls = () => import('./reset-calls.ts')

export function ForgotPasswordForm({ onSent }: { onSent(email: string): void }) {
  const botCheck = useBotCheck()
  const form = useForm({
    order: FIELDS,
    loadCheck: async () => (await import('./address.rules.ts')).checkAddress,
    prepare: loadCalls,
    errorMessage: (failure) =>
      failure instanceof ResetError
        ? failure.message || 'Failed to send reset email'
        : errorMessage(failure, {
            refused: 'Failed to send reset email',
            network: 'Failed to send reset email. Please try again.',
          }),
    async send({ email }) {
      const recaptchaToken = await botCheck('password_reset')
      const { requestResetLink: askForResetLink } = await loadCalls()
      await askForResetLink({ email, recaptchaToken })
      onSent(email.trim())
    },
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field label="Email" name="email" type="email" autoComplete="email" error={form.errors.email} />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Sending">
        Send Reset Link
      </Button>
    </form>
  )
}
