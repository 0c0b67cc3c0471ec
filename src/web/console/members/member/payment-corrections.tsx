import { correctPayment, MANUAL_METHODS, METHOD_NAMES, voidPayment } from '#contract/console/money/hand-payments.ts'
import type { ConsoleMember, MemberPaymentRecord } from '#contract/console/member.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { OfflinePaymentFields, paymentFields } from './member-term-forms.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import type { MemberEditor } from './use-member.ts'

export type Correction = { kind: 'void' | 'correct'; payment: MemberPaymentRecord }

interface CorrectionDialogsProps {
  member: ConsoleMember
  desk: MemberEditor
  doing: Correction | null
  onClose(): void
}

/** Voids a payment outside the card provider, or replaces it with a corrected one. */
export function CorrectionDialogs({ member, desk, doing, onClose }: CorrectionDialogsProps) {
  const { setValue } = desk.loaded
  const update = (changed: ConsoleMember) => {
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
        doing={{ label: 'Cancel receipt', busyLabel: 'Canceling', isDanger: true }}
        send={async (reason) => {
          if (!payment) return
          const params = { id: member.id, payment: payment.id }
          const body = { reason, version: member.version }
          update(await saveAsOfficer(voidPayment, { params, body }))
        }}
      >
        {payment && (
          <p>
            {payment.byHand}, {formatMoney(payment.amount, payment.currency)}, no longer counts as received, starting
            today. Receipt {payment.receiptNumber} keeps its number and is marked as canceled.
            {refundConsequence(payment)}
            {payment.ifReturned === 'ends' &&
              payment.purpose === 'start' &&
              ' The membership it replaced continues if it has not expired.'}{' '}
            {emailNote(member, 'The member is notified by email.')} No money is moved: return the check or cash
            yourself.
          </p>
        )}
      </ReasonDialog>
      <Dialog open={doing?.kind === 'correct'} onClose={onClose} title="Correct payment" width="36rem">
        {doing?.kind === 'correct' && <CorrectionForm member={member} payment={doing.payment} onSaved={update} />}
      </Dialog>
    </>
  )
}

function CorrectionForm({
  member,
  payment,
  onSaved,
}: {
  member: ConsoleMember
  payment: MemberPaymentRecord
  onSaved(member: ConsoleMember): void
}) {
  const [method = '', ...reference] = (payment.byHand ?? '').split(' ')
  const initial = {
    levelKey: payment.levelKey,
    method: MANUAL_METHODS.find((one) => METHOD_NAMES[one] === method) ?? 'other',
    reference: reference.join(' '),
    amount: String(payment.amount / 100),
    paidOn: dayOf(Date.parse(payment.paidAt)),
  }
  const form = useDraftForm(`correction:${payment.id}`, {
    fields: { ...paymentFields(), reason: 'Reason for the audit log' },
    initial: () => initial,
    errorMessage: officerErrorMessage,
    async send({ levelKey, method: paidBy, reference, amount, paidOn, reason }) {
      const body = {
        levelKey,
        reference,
        amount,
        paidOn,
        reason,
        version: member.version,
        method: MANUAL_METHODS.find((one) => one === paidBy) ?? 'other',
      }
      const params = { id: member.id, payment: payment.id }
      onSaved(await saveAsOfficer(correctPayment, { params, body }))
    },
  })
  const isOtherLevel = form.values.levelKey !== payment.levelKey
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <OfflinePaymentFields member={member} field={form.field} />
      <Field {...form.field('reason')} maxLength={300} autoComplete="off" />
      <p className="hint">
        Receipt {payment.receiptNumber} is canceled and a new one takes its place.{' '}
        {isOtherLevel
          ? 'The term it paid for is revoked, and a term of the other level is granted from the day it was recorded.'
          : 'The membership stays as it is.'}{' '}
        {emailNote(
          member,
          isOtherLevel && payment.ifReturned !== 'stays'
            ? 'The member gets the new receipt and a welcome email.'
            : 'The member gets the new receipt.',
        )}
      </p>
      <Button type="submit" busy={form.isSubmitting} busyLabel="Correcting">
        Save correction
      </Button>
    </form>
  )
}

/** What happens to the membership after a full refund; empty when nothing changes. */
export function refundConsequence({ ifReturned }: MemberPaymentRecord): string {
  if (ifReturned === 'stays') return ''
  if (ifReturned === 'ends') return ' The membership depends on this payment and ends immediately.'
  return ` The membership was renewed by this payment: it ends on ${formatLongDate(ifReturned.endsAt)} instead.`
}

/** Closed accounts get no email. */
export function emailNote({ state }: ConsoleMember, sentence: string): string {
  return state === 'DISABLED' || state === 'DECEASED' || state === 'LEFT'
    ? 'The account is closed, so no email is sent.'
    : sentence
}
