import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

const FIELDS = ['email'] as const

/** Asks a visitor whose link named no address which one was registered. */
export function AddressForm({ onAddress }: { onAddress(email: string): void }) {
  const form = useForm({
    order: FIELDS,
    loadCheck: async () => (await import('./address.rules.ts')).checkAddress,
    explain: () => 'Network error. Please try again.',
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
