import { GUESTS_MAX, rsvpNameField } from '#contract/public/rsvp.ts'
import { messages } from '#contract/messages.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { validate } from '#web/forms/validate.rules.ts'
import * as z from 'zod/mini'

const FIELDS = ['name', 'guests'] as const
const fields = z.object({ name: rsvpNameField })

/** Adds a guest without an RSVP and checks them in, online or offline. */
export function WalkInForm({ onAdd }: { onAdd(name: string, guests: number): void }) {
  const form = useForm({
    order: FIELDS,
    check(values) {
      const guests = Number(values.guests)
      const isCount = Number.isInteger(guests) && guests >= 0 && guests <= GUESTS_MAX
      return { ...validate<'name' | 'guests'>(fields, values), ...(!isCount && { guests: messages.rsvp.guestsMax }) }
    },
    errorMessage: () => 'This could not be saved. Please try again.',
    send: async ({ name, guests }) => onAdd(name.trim(), Number(guests)),
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field label="Name" name="name" autoComplete="off" error={form.errors.name} />
      <Field
        label="Guests"
        name="guests"
        type="number"
        inputMode="numeric"
        min={0}
        max={GUESTS_MAX}
        defaultValue={0}
        error={form.errors.guests}
      />
      <Button type="submit">Add and check in</Button>
    </form>
  )
}
