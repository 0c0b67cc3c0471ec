import * as z from 'zod/mini'
import { forgotPassword } from '#contract/auth.ts'
import { emailField } from '#contract/fields.ts'
import { call } from '#web/api/call.ts'
import { explain } from '#web/features/forms/explain.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { problemsOf } from '#web/features/forms/problems.rules.ts'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { useBotCheck } from './bot-check.ts'
import { requireEmailSuccess, UnsuccessfulEmailCall } from './email-reply.ts'

const FIELDS = ['email'] as const
const body = z.object({ email: emailField })

export function ForgotPasswordForm({ onSent }: { onSent(email: string): void }) {
  const botCheck = useBotCheck()
  const form = useForm({
    order: FIELDS,
    check: (values) => problemsOf(body, values),
    explain: (failure) =>
      failure instanceof UnsuccessfulEmailCall
        ? failure.message || 'Failed to send reset email'
        : explain(failure, {
            refused: 'Failed to send reset email',
            network: 'Failed to send reset email. Please try again.',
          }),
    async send({ email }) {
      const recaptchaToken = await botCheck('password_reset')
      requireEmailSuccess(await call(forgotPassword, { body: { email, recaptchaToken } }))
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
