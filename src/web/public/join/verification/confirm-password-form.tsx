import { messages } from '#contract/messages.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

interface PasswordProofFormProps {
  onPassword(password: string): Promise<void>
  explain(failure: unknown): string
}

const FIELDS = ['password'] as const

/**
 * Asks for the password chosen at registration, in a browser that cannot prove it registered
 * (docs/product-rules.md#proof-before-a-session).
 */
export function ConfirmPasswordForm({ onPassword, explain }: PasswordProofFormProps) {
  const form = useForm({
    order: FIELDS,
    check: ({ password }) => (password === '' ? { password: messages.password.required } : {}),
    errorMessage: explain,
    send: ({ password }) => onPassword(password),
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        hint="The one you chose when you registered."
        error={form.errors.password}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="One moment">
        Continue to payment
      </Button>
    </form>
  )
}
