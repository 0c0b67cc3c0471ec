import { useState } from 'react'
import { correctPayment, voidPayment } from '#contract/console-hand-payments.ts'
import type { ConsoleMember, MemberPaymentRecord } from '#contract/console-member.ts'
import { dayOf, formatLongDate } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { HandPaymentFields, PAYMENT_FIELDS } from './member-term-forms.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import type { MemberDesk } from './use-member.ts'

export type Correction = { kind: 'void' | 'correct'; payment: MemberPaymentRecord }

interface CorrectionDialogsProps {
  member: ConsoleMember
  desk: MemberDesk
  doing: Correction | null
  onClose(): void
}

/** Cancels the record of a check or cash, or replaces it by a corrected one. */
export function CorrectionDialogs({ member, desk, doing, onClose }: CorrectionDialogsProps) {
  const { reload, setValue } = desk.loaded
  const take = (changed: ConsoleMember) => {
    setValue(changed)
    onClose()
  }
  const payment = doing?.payment
  return (
    <>
      <ReasonDialog
        open={doing?.kind === 'void'}
        onClose={onClose}
        title="Cancel this receipt?"
        doing={{ label: 'Cancel the receipt', busyLabel: 'Canceling', isDanger: true }}
        send={async (reason) => {
          if (!payment) return
          const params = { id: member.id, payment: payment.id }
          const body = { reason, version: member.version }
          take(await heedOthers(reload, () => callAsOfficer(voidPayment, { params, body })))
        }}
      >
        {payment && (
          <p>
            {payment.byHand}, {formatMoney(payment.amount, payment.currency)}, no longer counts as received, starting
            today. Receipt {payment.receiptNumber} keeps its number and says that it is canceled.
            {afterReturnWords(payment)}
            {payment.ifReturned === 'ends' &&
              payment.purpose === 'start' &&
              ' A membership that it replaced goes on if its time is not over.'}{' '}
            {emailWords(member, 'The member gets an email that says so.')} No money moves: return a check or cash
            yourself.
          </p>
        )}
      </ReasonDialog>
      <Dialog open={doing?.kind === 'correct'} onClose={onClose} title="Correct this payment" width="36rem">
        {doing?.kind === 'correct' && (
          <CorrectionForm member={member} payment={doing.payment} onSaved={take} reload={reload} />
        )}
      </Dialog>
    </>
  )
}

const FIELDS = [...PAYMENT_FIELDS, 'reason'] as const

function CorrectionForm({
  member,
  payment,
  onSaved,
  reload,
}: {
  member: ConsoleMember
  payment: MemberPaymentRecord
  onSaved(member: ConsoleMember): void
  reload(): void
}) {
  const [method = '', ...words] = (payment.byHand ?? '').split(' ')
  const saved = {
    levelKey: payment.levelKey,
    method: method === 'Cash' ? 'cash' : 'cheque',
    reference: words.join(' '),
    amount: String(payment.amount / 100),
    paidOn: dayOf(Date.parse(payment.paidAt), 'America/New_York'),
  }
  const [levelKey, setLevelKey] = useState(saved.levelKey)
  const form = useKeptForm(`correction:${payment.id}`, {
    order: FIELDS,
    explain: explainToOfficer,
    async send({ method: paidBy, reference, amount, paidOn, reason }) {
      const body = {
        levelKey,
        reference,
        amount,
        paidOn,
        reason,
        version: member.version,
        method: paidBy === 'cash' ? 'cash' : 'cheque',
      } as const
      const params = { id: member.id, payment: payment.id }
      onSaved(await heedOthers(reload, () => callAsOfficer(correctPayment, { params, body })))
    },
  })
  const { reason } = form.problems
  const isOtherLevel = levelKey !== payment.levelKey
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <HandPaymentFields member={member} saved={saved} problems={form.problems} onLevel={setLevelKey} />
      <Field
        label="Reason for the audit log"
        name="reason"
        maxLength={300}
        autoComplete="off"
        {...(reason && { error: reason })}
      />
      <p className="hint">
        Receipt {payment.receiptNumber} is canceled and a new one takes its place.{' '}
        {isOtherLevel
          ? 'The term it paid for is taken back, and one of the other level is given from the day it was recorded.'
          : 'The membership stays as it is.'}{' '}
        {emailWords(
          member,
          isOtherLevel && payment.ifReturned !== 'stays'
            ? 'The member gets the new receipt and a welcome email.'
            : 'The member gets the new receipt.',
        )}
      </p>
      <Button type="submit" busy={form.isSending} busyLabel="Correcting">
        Correct the payment
      </Button>
    </form>
  )
}

/** What becomes of the membership when all of a payment comes back; empty when nothing does. */
export function afterReturnWords({ ifReturned }: MemberPaymentRecord): string {
  if (ifReturned === 'stays') return ''
  if (ifReturned === 'ends') return ' The membership rests on this payment: it ends at once.'
  return ` The membership was renewed by this payment: it ends on ${formatLongDate(ifReturned.endsAt)} instead.`
}

/** Closed accounts are not emailed. */
export function emailWords({ state }: ConsoleMember, sentence: string): string {
  return state === 'DISABLED' || state === 'LEFT' ? 'The account is closed, so no email is sent.' : sentence
}
