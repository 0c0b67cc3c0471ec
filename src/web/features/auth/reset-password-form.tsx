import { resetPassword } from '#contract/auth.ts'
import { limits } from '#contract/limits.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { explain } from '#web/features/forms/explain.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { requireEmailSuccess, UnsuccessfulEmailCall } from './email-reply.ts'
import { checkNewPassword, newPasswordFields } from './new-password.rules.ts'
import { logOut } from './session.ts'

interface ResetPasswordFormProps {
  token: string
  userId: string
  onDone(): void
  /** The link is used up or too old: only a new one helps. */
  onInvalidLink(): void
}

export function ResetPasswordForm({ token, userId, onDone, onInvalidLink }: ResetPasswordFormProps) {
  const form = useForm({
    order: newPasswordFields,
    check: checkNewPassword,
    explain: explainReset,
    async send({ newPassword }) {
      try {
        requireEmailSuccess(await call(resetPassword, { body: { token, userId, newPassword } }))
      } catch (failure) {
        if (failure instanceof CallFailure && failure.code === 'RESET_LINK_INVALID') return onInvalidLink()
        throw failure
      }
      // The new password ended every session of the account, this browser's among them (decision A4).
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
        error={form.problems.newPassword}
      />
      <PasswordField
        label="Confirm new password"
        name="confirmPassword"
        autoComplete="new-password"
        error={form.problems.confirmPassword}
      />
      <Button type="submit" busy={form.isSending} busyLabel="Saving">
        Reset Password
      </Button>
    </form>
  )
}

function explainReset(failure: unknown): string {
  if (failure instanceof UnsuccessfulEmailCall) return failure.message || 'Password reset failed'
  return explain(failure, {
    refused: 'Password reset failed',
    network: 'Failed to reset password. Please try again.',
  })
}
