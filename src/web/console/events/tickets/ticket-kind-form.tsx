import { useState } from 'react'
import { currencySign } from '#contract/money.ts'
import type { RsvpEvent, TicketKind } from '#contract/console/rsvp.ts'
import { PARTY_MAX } from '#contract/tickets/tickets.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { LevelChoice } from '#web/console/forms/level-choice.tsx'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { KIND_FIELDS, KIND_ORDER, kindValues, toKind } from './ticket-kind-form.rules.ts'

/** One kind of ticket: its name, price, limit, persons and for whom it is. */
export function TicketKindForm({
  kind,
  found: { offer, levels },
  save,
  onSaved,
}: {
  /** null to add one. */
  kind: TicketKind | null
  found: RsvpEvent
  save(kinds: TicketKind[]): Promise<RsvpEvent>
  onSaved(next: RsvpEvent, name: string): void
}) {
  const { kinds } = offer
  const index = kind ? kinds.findIndex(({ key }) => key === kind.key) : kinds.length
  const [key] = useState(() => kind?.key ?? crypto.randomUUID())
  const [chosen, setChosen] = useState<string[]>(kind?.levels ?? [])
  const values = kindValues(kind, offer)
  const form = useForm({
    order: KIND_ORDER,
    errorMessage: officerErrorMessage,
    async send(typed) {
      const next = toKind(key, typed, chosen)
      try {
        onSaved(await save(kinds.toSpliced(index, 1, next)), next.name)
      } catch (failure) {
        throw ofKind(failure, index)
      }
    },
  })
  const field = (name: keyof typeof values) => {
    const error = form.errors[KIND_FIELDS[name]]
    return {
      name: KIND_FIELDS[name],
      autoComplete: 'off',
      defaultValue: values[name],
      ...(error !== undefined && { error }),
    }
  }
  return (
    <form {...form.props} className="flow">
      <FormMessages form={form} />
      {kind === null && kinds.length === 0 && offer.price !== null && (
        <p>From now on each kind has its price. It takes the place of the price per person.</p>
      )}
      <Field label="Name" {...field('name')} maxLength={60} />
      <div className="pair">
        <Field
          label={`Price (${currencySign()})`}
          {...field('price')}
          inputMode="decimal"
          hint="0 or empty for free."
        />
        <Field
          label={`Member price (${currencySign()})`}
          {...field('memberPrice')}
          inputMode="decimal"
          hint="For one ticket, the member’s own. Empty for the same price."
        />
      </div>
      <div className="pair">
        <Field
          label="People on one ticket"
          {...field('seats')}
          type="number"
          inputMode="numeric"
          min={1}
          max={PARTY_MAX}
          hint="10 for a table of ten."
        />
        <Field
          label="How many tickets"
          {...field('limit')}
          type="number"
          inputMode="numeric"
          min={1}
          hint="Empty if only the seats limit them."
        />
      </div>
      <LevelChoice
        legend="Only for members with the level"
        hint="One ticket for each member who is logged in. Choose none if everyone may have it, as many as they like."
        levels={levels}
        chosen={chosen}
        onChange={setChosen}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}

/** The faults of this kind under the fields of the form. */
function ofKind(failure: unknown, index: number): unknown {
  if (!(failure instanceof CallFailure)) return failure
  const { status, code, message, fieldErrors } = failure
  const start = `kinds.${index}.`
  const names = Object.keys(KIND_FIELDS) as (keyof typeof KIND_FIELDS)[]
  const own = names.flatMap((name) => {
    const sentence = fieldErrors[`${start}${name}`]
    return sentence === undefined ? [] : [[KIND_FIELDS[name], sentence] as const]
  })
  if (own.length === 0) return failure
  const errors = Object.fromEntries(own)
  return new CallFailure({ status, sentence: message, errors, ...(code !== undefined && { code }) })
}
