import { GUESTS_MAX, rsvpNameField } from '#contract/rsvp.ts'
import { messages } from '#contract/messages.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { problemsOf } from '#web/features/forms/problems.rules.ts'
import * as z from 'zod/mini'

const FIELDS = ['name', 'guests'] as const
const fields = z.object({ name: rsvpNameField })

/** Somebody who came without an RSVP: on the list and checked in at once, with or without a network. */
export function WalkInForm({ onAdd }: { onAdd(name: string, guests: number): void }) {
  const form = useForm({
    order: FIELDS,
    check(values) {
      const guests = Number(values.guests)
      const isCount = Number.isInteger(guests) && guests >= 0 && guests <= GUESTS_MAX
      return { ...problemsOf<'name' | 'guests'>(fields, values), ...(!isCount && { guests: messages.rsvp.guestsMax }) }
    },
    explain: () => 'This could not be kept. Please try again.',
    send: async ({ name, guests }) => onAdd(name.trim(), Number(guests)),
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field label="Name" name="name" autoComplete="off" error={form.problems.name} />
      <Field
        label="Guests who came along"
        name="guests"
        type="number"
        inputMode="numeric"
        min={0}
        max={GUESTS_MAX}
        defaultValue={0}
        error={form.problems.guests}
      />
      <Button type="submit">Add and check in</Button>
    </form>
  )
}
