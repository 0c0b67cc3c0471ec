import { messages } from '#contract/messages.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

interface PasswordProofFormProps {
  onPassword(password: string): Promise<void>
  explain(failure: unknown): string
}

const FIELDS = ['password'] as const

/** A browser that cannot show that it registered goes on with the password chosen then (docs/product-rules.md#proof-before-a-session). */
export function PasswordProofForm({ onPassword, explain }: PasswordProofFormProps) {
  const form = useForm({
    order: FIELDS,
    check: ({ password }) => (password === '' ? { password: messages.password.required } : {}),
    explain,
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
        error={form.problems.password}
      />
      <Button type="submit" busy={form.isSending} busyLabel="One moment">
        Continue to payment
      </Button>
    </form>
  )
}
