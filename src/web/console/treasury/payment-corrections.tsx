import { currencyName } from '#contract/money.ts'
import { useState } from 'react'
import { MANUAL_METHODS, METHOD_NAMES, type ManualMethod } from '#contract/console/money/hand-payments.ts'
import { cancelPayment, replacePayment } from '#contract/console/money/payments.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { Checkbox, Field } from '#web/ui/field.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { ReasonDialog } from '../members/reason-dialog.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import type { PaymentActProps } from './refund-payment.tsx'
import { dollarsOf, readDollars } from './span.rules.ts'

/** Cancels the record of a payment by hand: a check that bounced, or one recorded for someone else. */
export function CancelPayment({ open, payment, onClose, onDone }: PaymentActProps) {
  const [keepsSeats, setKeepsSeats] = useState(false)
  const { kind, id, receiptNumber, version, refund } = payment
  return (
    <ReasonDialog
      open={open}
      onClose={onClose}
      title={`Cancel receipt ${receiptNumber}?`}
      doing={{ label: 'Cancel receipt', busyLabel: 'Canceling', isDanger: true }}
      send={async (reason) => {
        onDone(await saveAsOfficer(cancelPayment, { params: { kind, id }, body: { reason, keepsSeats, version } }))
      }}
    >
      <p>
        The receipt keeps its number and is marked canceled. {keepsSeats ? 'The party keeps its seats.' : refund.ifAll}{' '}
        The payer gets an email.
      </p>
      {refund.asksSeats && (
        <Checkbox
          name="keepsSeats"
          label="Keep the seats, free of charge"
          checked={keepsSeats}
          onChange={({ target }) => setKeepsSeats(target.checked)}
        />
      )}
    </ReasonDialog>
  )
}

/** Corrects the record of a payment by hand; what was bought stays. */
export function ReplacePayment(props: PaymentActProps) {
  return props.open ? <ReplaceDialog key={props.payment.version} {...props} /> : null
}

function ReplaceDialog({ payment, onClose, onDone }: PaymentActProps) {
  const { kind, id, receiptNumber, version } = payment
  const known = MANUAL_METHODS.find((one) => payment.paidBy.startsWith(METHOD_NAMES[one])) ?? 'cheque'
  const [method, setMethod] = useState<ManualMethod>(known)
  const [reference, setReference] = useState(payment.paidBy.slice(METHOD_NAMES[known].length).trim())
  const [typed, setTyped] = useState(dollarsOf(payment.amount))
  const [paidOn, setPaidOn] = useState(dayOf(Date.parse(payment.paidAt), 'UTC'))
  const amount = readDollars(typed)
  return (
    <ReasonDialog
      open
      onClose={onClose}
      title={`Correct receipt ${receiptNumber}`}
      doing={{ label: 'Replace the receipt', busyLabel: 'Replacing' }}
      send={async (reason) => {
        const body = { method, reference, amount: amount ?? 0, paidOn, reason, version }
        onDone(await saveAsOfficer(replacePayment, { params: { kind, id }, body }))
      }}
    >
      <div className="dialog-fields">
        <p>This receipt is canceled, and a new one is emailed. What was paid for stays as it is.</p>
        <SelectField
          label="Paid by"
          name="method"
          value={method}
          error={undefined}
          options={MANUAL_METHODS.map((one) => [one, METHOD_NAMES[one]] as const)}
          onChange={({ currentTarget }) => setMethod(currentTarget.value as ManualMethod)}
        />
        <Field
          label="Check number or reference"
          name="reference"
          autoComplete="off"
          value={reference}
          onChange={({ target }) => setReference(target.value)}
        />
        <Field
          label={`Amount in ${currencyName()}`}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          {...(amount === null && { error: 'Please enter the amount, like 100 or 100.50' })}
        />
        <Field
          label="Received on"
          name="paidOn"
          type="date"
          value={paidOn}
          onChange={({ target }) => setPaidOn(target.value)}
        />
      </div>
    </ReasonDialog>
  )
}
