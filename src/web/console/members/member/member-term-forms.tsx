import { currencySign } from '#contract/money.ts'
import { MANUAL_METHODS, METHOD_NAMES } from '#contract/console/money/hand-payments.ts'
import { setTerm, type ConsoleMember } from '#contract/console/member.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { SelectField } from '#web/console/forms/select-field.tsx'
import { useDraftForm, type DraftForm } from '#web/console/forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

interface MemberFormProps {
  member: ConsoleMember
  onSaved(member: ConsoleMember): void
}

const TERM_FIELDS = { levelKey: 'Level', endsOn: 'Last day', reason: 'Reason for the audit log' }

/** Grants a complimentary term, or changes the end of the current one. */
export function TermForm({ member, onSaved }: MemberFormProps) {
  const saved = {
    levelKey: levelOf(member),
    endsOn: member.endsAt && isHeld(member) ? dayOf(Date.parse(member.endsAt)) : '',
  }
  const form = useDraftForm(`term:${member.id}`, {
    fields: TERM_FIELDS,
    saved,
    display: { levelKey: (key) => levelName(member, key) },
    errorMessage: officerErrorMessage,
    async send({ levelKey, endsOn, reason }) {
      const body = { levelKey, reason, version: member.version, ...(!isLifetime && { endsOn }) }
      onSaved(await saveAsOfficer(setTerm, { params: { id: member.id }, body }))
    },
  })
  const { levelKey } = form.values
  const isLifetime = member.levels.find(({ key }) => key === levelKey)?.isLifetime ?? false
  const running = isHeld(member) ? member.subscription?.membershipLevel : null
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <SelectField {...form.field('levelKey')} options={levelOptions(member)} />
      {!isLifetime && <Field {...form.field('endsOn')} type="date" />}
      <Field {...form.field('reason')} maxLength={300} autoComplete="off" />
      <p className="hint">
        {member.movesTermOf === levelKey
          ? 'The membership continues until this day. No email is sent.'
          : `The membership starts now${running ? ` and replaces ${running.name}` : ''}. The member gets a welcome email.`}{' '}
        Nothing is charged.
      </p>
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Save term
      </Button>
    </form>
  )
}

export const paymentFields = () => ({
  levelKey: 'Level',
  method: 'Paid by',
  reference: 'Reference',
  amount: `Amount (${currencySign()})`,
  paidOn: 'Received on',
})
const METHOD_OPTIONS = MANUAL_METHODS.map((method) => [method, METHOD_NAMES[method]] as const)

/** Whether the membership is in force. */
function isHeld({ state }: ConsoleMember): boolean {
  return state === 'ACTIVE' || state === 'PAST_DUE'
}

type PaymentField = keyof ReturnType<typeof paymentFields>

/** The fields of a payment outside the card provider, to correct it. */
export function OfflinePaymentFields({
  member,
  field,
}: {
  member: ConsoleMember
  field: DraftForm<PaymentField>['field']
}) {
  return (
    <>
      <SelectField {...field('levelKey')} options={levelOptions(member)} />
      <div className="pair">
        <SelectField {...field('method')} options={METHOD_OPTIONS} />
        <Field
          {...field('reference')}
          maxLength={80}
          autoComplete="off"
          hint="The check number, or another reference."
        />
      </div>
      <div className="pair">
        <Field {...field('amount')} inputMode="decimal" autoComplete="off" />
        <Field {...field('paidOn')} type="date" />
      </div>
    </>
  )
}

function levelOf({ subscription, levels }: ConsoleMember): string {
  return subscription?.membershipLevel.key ?? levels[0]?.key ?? ''
}

function levelOptions({ levels }: ConsoleMember) {
  return levels.map(({ key, name }) => [key, name] as const)
}

function levelName({ levels }: ConsoleMember, key: string): string {
  return levels.find((level) => level.key === key)?.name ?? key
}
