import { limits } from '#contract/limits.ts'
import { messages } from '#contract/messages.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { verificationErrorMessage } from './use-verification.ts'
import type { Proof } from './verification-calls.ts'

const FIELDS = ['code'] as const

interface CodeFormProps {
  email: string
  onCode(proof: Proof): Promise<unknown>
}

/**
 * The 6-digit code from the email, for members who cannot open its link here
 * (docs/product-rules.md#links-change-nothing).
 */
export function CodeForm({ email, onCode }: CodeFormProps) {
  const form = useForm({
    order: FIELDS,
    check: ({ code }) => (code.trim() === '' ? { code: messages.code.required } : {}),
    errorMessage: verificationErrorMessage,
    async send({ code }) {
      await onCode({ email, code: code.replaceAll(/\s/g, '') })
    },
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field
        label="Verification code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint={`The ${limits.codeDigits} digits from the email.`}
        error={form.errors.code}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Verifying">
        Verify email
      </Button>
    </form>
  )
}
