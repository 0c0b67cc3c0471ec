import { useState } from 'react'
import { MANUAL_METHODS, METHOD_NAMES, type ManualMethod } from '#contract/console/money/hand-payments.ts'
import { refundPaymentPart, type ConsolePayment } from '#contract/console/money/payments.ts'
import { currencyName, formatMoney } from '#contract/money.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Checkbox, Field } from '#web/ui/field.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { ReasonDialog } from '../members/reason-dialog.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { dollarsOf, readDollars } from './span.rules.ts'

export interface PaymentActProps {
  open: boolean
  payment: ConsolePayment
  onClose(): void
  onDone(payment: ConsolePayment): void
}

/** Refunds a part or all of a payment; what happens then is said before. */
export function RefundPayment({ open, payment, onClose, onDone }: PaymentActProps) {
  return open ? <RefundDialog key={payment.version} payment={payment} onClose={onClose} onDone={onDone} /> : null
}

function RefundDialog({ payment, onClose, onDone }: Omit<PaymentActProps, 'open'>) {
  const { kind, id, name, currency, isByHand, version } = payment
  const { most, failed, ifAll, ifPart, asksSeats, mayEnd } = payment.refund
  const [typed, setTyped] = useState(dollarsOf(failed || most))
  const [keepsSeats, setKeepsSeats] = useState(false)
  const [endsMembership, setEndsMembership] = useState(false)
  const [method, setMethod] = useState<ManualMethod>('cheque')
  const [reference, setReference] = useState('')
  const amount = readDollars(typed)
  const isValid = amount !== null && amount > 0 && amount <= most
  const isAll = isValid && amount === most
  const money = isValid ? formatMoney(amount, currency) : ''
  return (
    <ReasonDialog
      open
      onClose={onClose}
      title={isByHand ? `Record a refund to ${name}` : `Refund ${name}?`}
      doing={{
        label: `${isByHand ? 'Record refund of' : 'Refund'} ${money}`.trim(),
        busyLabel: 'Refunding',
        isDanger: true,
      }}
      send={async (reason) => {
        if (!isValid)
          throw new CallFailure({
            status: 400,
            sentence: `Please enter an amount up to ${formatMoney(most, currency)}.`,
          })
        const byHand = isByHand && { method, ...(reference.trim() !== '' && { reference: reference.trim() }) }
        const body = { amount, reason, keepsSeats, endsMembership, version, ...byHand }
        onDone(await saveAsOfficer(refundPaymentPart, { params: { kind, id }, body }))
      }}
    >
      <div className="dialog-fields">
        <Field
          label={`Amount in ${currencyName()}`}
          name="refundAmount"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          hint={`Up to ${formatMoney(most, currency)}.`}
          onChange={({ target }) => setTyped(target.value)}
          {...(!isValid && { error: `Please enter an amount up to ${formatMoney(most, currency)}` })}
        />
        {isByHand && (
          <>
            <SelectField
              label="Refunded by"
              name="refundMethod"
              value={method}
              error={undefined}
              options={MANUAL_METHODS.map((one) => [one, METHOD_NAMES[one]] as const)}
              onChange={({ currentTarget }) => setMethod(currentTarget.value as ManualMethod)}
            />
            <Field
              label="Check number or reference"
              name="refundReference"
              autoComplete="off"
              value={reference}
              hint="Optional."
              onChange={({ target }) => setReference(target.value)}
            />
          </>
        )}
        {asksSeats && isAll && (
          <Checkbox
            name="keepsSeats"
            label="Keep the seats, free of charge"
            checked={keepsSeats}
            onChange={({ target }) => setKeepsSeats(target.checked)}
          />
        )}
        {mayEnd && isValid && !isAll && (
          <Checkbox
            name="endsMembership"
            label="End the membership now"
            checked={endsMembership}
            onChange={({ target }) => setEndsMembership(target.checked)}
          />
        )}
        {isValid && (
          <Banner tone="note">
            {isByHand
              ? `You returned ${money}; only the record changes.`
              : `${money} goes back to the card, which cannot be undone.`}{' '}
            {outcomeOf({ isAll, ifAll, ifPart, keepsSeats, endsMembership: mayEnd && endsMembership })}
          </Banner>
        )}
      </div>
    </ReasonDialog>
  )
}

function outcomeOf(choice: {
  isAll: boolean
  ifAll: string
  ifPart: string
  keepsSeats: boolean
  endsMembership: boolean
}): string {
  if (choice.isAll) return choice.keepsSeats ? 'The party keeps its seats.' : choice.ifAll
  return choice.endsMembership ? 'The membership ends at once.' : choice.ifPart
}
