import { explain } from '#web/features/forms/explain.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { useBotCheck } from './bot-check.ts'
import { UnsuccessfulReset } from './unsuccessful-reset.ts'

const FIELDS = ['email'] as const
const loadCalls = () => import('./reset-calls.ts')

export function ForgotPasswordForm({ onSent }: { onSent(email: string): void }) {
  const botCheck = useBotCheck()
  const form = useForm({
    order: FIELDS,
    loadCheck: async () => (await import('./address.rules.ts')).checkAddress,
    prepare: loadCalls,
    explain: (failure) =>
      failure instanceof UnsuccessfulReset
        ? failure.message || 'Failed to send reset email'
        : explain(failure, {
            refused: 'Failed to send reset email',
            network: 'Failed to send reset email. Please try again.',
          }),
    async send({ email }) {
      const recaptchaToken = await botCheck('password_reset')
      const { askForResetLink } = await loadCalls()
      await askForResetLink({ email, recaptchaToken })
      onSent(email.trim())
    },
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field label="Email" name="email" type="email" autoComplete="email" error={form.problems.email} />
      <Button type="submit" busy={form.isSending} busyLabel="Sending">
        Send Reset Link
      </Button>
    </form>
  )
}
