import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

const FIELDS = ['email'] as const

/** Asks for the registered address when the link did not contain one. */
export function AddressForm({ onAddress }: { onAddress(email: string): void }) {
  const form = useForm({
    order: FIELDS,
    loadCheck: async () => (await import('#web/public/login/address.rules.ts')).checkAddress,
    errorMessage: () => 'Network error. Please try again.',
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
        error={form.errors.email}
      />
      <Button type="submit">Continue</Button>
    </form>
  )
}
