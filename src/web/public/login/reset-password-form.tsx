import { limits } from '#contract/limits.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { logOut } from '#web/session/session.ts'
import { ResetError } from './reset-error.ts'

interface ResetPasswordFormProps {
  token: string
  userId: string
  onDone(): void
  /** The link was used or has expired; the visitor needs a new one. */
  onInvalidLink(): void
}

/** In the order in which errors are reported. */
const FIELDS = ['newPassword', 'confirmPassword'] as const
const loadCalls = () => import('./reset-calls.ts')

export function ResetPasswordForm({ token, userId, onDone, onInvalidLink }: ResetPasswordFormProps) {
  const form = useForm({
    order: FIELDS,
    loadCheck: async () => (await import('./new-password.rules.ts')).checkNewPassword,
    prepare: loadCalls,
    errorMessage: explainReset,
    async send({ newPassword }) {
      try {
        const { resetPasswordWithToken: chooseNewPassword } = await loadCalls()
        await chooseNewPassword({ token, userId, newPassword })
      } catch (failure) {
        if (failure instanceof CallFailure && failure.code === 'RESET_LINK_INVALID') return onInvalidLink()
        throw failure
      }
      // The new password ended every session of the account, including this one
      // (docs/product-rules.md#server-checks-of-a-token).
      logOut()
      onDone()
    },
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <PasswordField
        label="New password"
        name="newPassword"
        autoComplete="new-password"
        hint={`At least ${limits.password.min} characters.`}
        error={form.errors.newPassword}
      />
      <PasswordField
        label="Confirm new password"
        name="confirmPassword"
        autoComplete="new-password"
        error={form.errors.confirmPassword}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Reset Password
      </Button>
    </form>
  )
}

function explainReset(failure: unknown): string {
  if (failure instanceof ResetError) return failure.message || 'Password reset failed'
  return errorMessage(failure, {
    refused: 'Password reset failed',
    network: 'Failed to reset password. Please try again.',
  })
}
