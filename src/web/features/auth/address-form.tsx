import * as z from 'zod/mini'
import { emailField } from '#contract/fields.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { problemsOf } from '#web/features/forms/problems.rules.ts'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

const FIELDS = ['email'] as const
const address = z.object({ email: emailField })

/** Asks a visitor whose link named no address which one was registered. */
export function AddressForm({ onAddress }: { onAddress(email: string): void }) {
  const form = useForm({
    order: FIELDS,
    check: (values) => problemsOf(address, values),
    explain: () => '',
    send: async ({ email }) => onAddress(email.trim()),
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        hint="The address you registered with."
        error={form.problems.email}
      />
      <Button type="submit">Continue</Button>
    </form>
  )
}
