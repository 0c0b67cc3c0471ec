import { region } from '#contract/region.ts'
import { useState } from 'react'
import { MANUAL_METHODS, METHOD_NAMES } from '#contract/console/money/hand-payments.ts'
import { PAYMENT_KINDS } from '#contract/console/money/payments.ts'
import type { PaymentRow, PaymentRowField, PaymentVerdict } from '#contract/console/money/record-payments.ts'
import { formatDay } from '#contract/dates/days.ts'
import { currencyName, formatMoney } from '#contract/money.ts'
import { Field } from '#web/ui/field.tsx'
import { SelectField } from '#web/console/forms/select-field.tsx'
import { PayerField } from './payer-field.tsx'
import { FIELD_LABELS, type Choices, type EditedRow } from './payment-rows.rules.ts'

const KIND_LABELS = { dues: 'Dues', seats: 'Event seats', sponsorship: 'Sponsorship' } as const

interface PaymentRowFormProps {
  row: EditedRow
  /** From 1; makes the ids of the fields. */
  number: number
  choices: Choices
  verdict: PaymentVerdict | null
  onChange(changes: Partial<PaymentRow>): void
}

/** The fields of one payment, and what recording it will do. */
export function PaymentRowForm({ row, number, choices, verdict, onChange }: PaymentRowFormProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  // A field that the officer has not left yet is not wrong yet; what was pasted is.
  const isWhole = row.email !== '' && row.reference !== ''
  const errorOf = (name: PaymentRowField) =>
    row[name] === '' && name !== 'note' && !isWhole && !left.has(`${name}-${number}`)
      ? undefined
      : verdict?.faults.find(({ field }) => field === name)?.message
  const frame = (name: PaymentRowField) => ({
    label: name === 'amount' ? `${FIELD_LABELS.amount} in ${currencyName()}` : FIELD_LABELS[name],
    name: `${name}-${number}`,
    error: errorOf(name),
  })
  const text = (name: Exclude<PaymentRowField, 'kind' | 'method'>) => {
    const { error, ...rest } = frame(name)
    return {
      ...rest,
      ...(error !== undefined && { error }),
      value: row[name],
      autoComplete: 'off',
      onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
    }
  }
  const select = (name: PaymentRowField, options: readonly (readonly [string, string])[]) => ({
    ...frame(name),
    value: row[name],
    options,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange({ [name]: currentTarget.value }),
  })
  const chosenEvent = choices.events.find(({ id }) => id === row.eventId)
  const isPrice = verdict === null || verdict.price === null || verdict.price === verdict.amount

  return (
    <div
      className="payment-row"
      onBlur={({ target }) => 'name' in target && setLeft((before) => new Set(before).add(String(target.name)))}
    >
      <SelectField
        {...select(
          'kind',
          PAYMENT_KINDS.map((kind) => [kind, KIND_LABELS[kind]] as const),
        )}
      />
      <PayerField row={row} number={number} error={errorOf('email')} onChange={onChange} />
      {row.kind !== 'dues' && <Field {...text('name')} />}
      {row.kind === 'dues' && (
        <SelectField
          {...select('levelKey', [
            ['', 'Choose a level'],
            ...choices.levels.map(
              ({ key, name, price }) => [key, `${name}, ${formatMoney(price, region().currency)}`] as const,
            ),
          ])}
        />
      )}
      {row.kind === 'seats' && (
        <>
          <SelectField
            {...select('eventId', [
              ['', choices.events.length === 0 ? 'No event has a price' : 'Choose an event'],
              ...choices.events.map(({ id, title, day }) => [id, day ? `${title}, ${formatDay(day)}` : title] as const),
            ])}
          />
          {chosenEvent?.price === null ? (
            <p className="small soft">
              Each party of this event has its own tickets. Add the guest under RSVPs first; the amount is the price of
              those tickets.
            </p>
          ) : (
            <Field {...text('guests')} inputMode="numeric" placeholder="0" />
          )}
        </>
      )}
      {row.kind === 'sponsorship' && (
        <>
          <SelectField
            {...select('tierName', [
              ['', 'Choose a sponsorship'],
              ...choices.tiers.map(
                ({ name, price }) => [name, `${name}, ${formatMoney(price, region().currency)}`] as const,
              ),
              ['Custom Amount', 'Other amount'],
            ])}
          />
          <Field {...text('company')} hint="Leave empty for a person." />
        </>
      )}
      <Field {...text('amount')} inputMode="decimal" />
      <SelectField
        {...select(
          'method',
          MANUAL_METHODS.map((method) => [method, METHOD_NAMES[method]] as const),
        )}
      />
      <Field {...text('reference')} />
      <Field {...text('paidOn')} type="date" max={choices.today} />
      {!isPrice && (
        <Field {...text('note')} hint={`The price is ${formatMoney(verdict.price ?? 0, region().currency)}.`} />
      )}
      <p className="payment-verdict" role="status">
        {verdict && verdict.faults.length === 0 && (
          <>
            <b>{verdict.payer}</b>: {verdict.sentences.join(' ')}
          </>
        )}
      </p>
    </div>
  )
}
