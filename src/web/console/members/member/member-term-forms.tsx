import { useState } from 'react'
import { recordManualPayment } from '#contract/console/hand-payments.ts'
import { setTerm, type ConsoleMember } from '#contract/console/member.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveOrReloadOnConflict } from '#web/console/forms/edit-conflicts.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldBox } from '#web/ui/field.tsx'

interface MemberFormProps {
  member: ConsoleMember
  onSaved(member: ConsoleMember): void
  reload(): void
}

const TERM_FIELDS = ['levelKey', 'endsOn', 'reason'] as const

/** Grants a complimentary term, or changes the end of the current one. */
export function TermForm({ member, onSaved, reload }: MemberFormProps) {
  const saved = {
    levelKey: levelOf(member),
    endsOn: member.endsAt && isHeld(member) ? dayOf(Date.parse(member.endsAt), 'America/New_York') : '',
  }
  const [levelKey, setLevelKey] = useState(saved.levelKey)
  const isLifetime = member.levels.find(({ key }) => key === levelKey)?.isLifetime ?? false
  const form = useDraftForm(`term:${member.id}`, {
    order: TERM_FIELDS,
    saved,
    errorMessage: officerErrorMessage,
    async send({ endsOn, reason }) {
      const body = { levelKey, reason, version: member.version, ...(!isLifetime && { endsOn }) }
      onSaved(await saveOrReloadOnConflict(reload, () => callAsOfficer(setTerm, { params: { id: member.id }, body })))
    },
  })
  const { endsOn, reason } = form.errors
  const running = isHeld(member) ? member.subscription?.membershipLevel : null
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <LevelField member={member} onChange={setLevelKey} error={form.errors.levelKey} />
      {!isLifetime && (
        <Field
          label="Last day"
          name="endsOn"
          type="date"
          defaultValue={saved.endsOn}
          {...(endsOn && { error: endsOn })}
        />
      )}
      <Field
        label="Reason for the audit log"
        name="reason"
        maxLength={300}
        autoComplete="off"
        {...(reason && { error: reason })}
      />
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

export const PAYMENT_FIELDS = ['levelKey', 'method', 'reference', 'amount', 'paidOn'] as const

/** Records a check or cash payment. Input survives a closed tab. */
export function OfflinePaymentForm({ member, onSaved, reload }: MemberFormProps) {
  const [levelKey, setLevelKey] = useState(levelOf(member))
  const [today] = useState(() => dayOf(Date.now(), 'America/New_York'))
  const level = member.levels.find(({ key }) => key === levelKey)
  const form = useDraftForm(`payment:${member.id}`, {
    order: PAYMENT_FIELDS,
    errorMessage: officerErrorMessage,
    async send({ method, reference, amount, paidOn }) {
      const body = {
        levelKey,
        reference,
        amount,
        paidOn,
        version: member.version,
        method: method === 'cash' ? 'cash' : 'cheque',
      } as const
      onSaved(
        await saveOrReloadOnConflict(reload, () =>
          callAsOfficer(recordManualPayment, { params: { id: member.id }, body }),
        ),
      )
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <OfflinePaymentFields
        member={member}
        priceOf={levelKey}
        saved={{
          levelKey: levelOf(member),
          method: 'cheque',
          reference: '',
          amount: level?.unitAmount ? String(level.unitAmount / 100) : '',
          paidOn: today,
        }}
        problems={form.errors}
        onLevel={setLevelKey}
      />
      <p className="hint">
        Pays for one term{level?.isLifetime ? ' for life' : ''}, starting when the current one ends, or today.
        {member.state === 'ACTIVE' &&
          member.endsAt &&
          ` The current term ends on ${formatLongDate(member.endsAt)}.`}{' '}
        {member.movesTermOf === levelKey ? 'A receipt goes' : 'A welcome email and a receipt go'} to {member.email}.
      </p>
      <Button type="submit" busy={form.isSubmitting} busyLabel="Recording">
        Record payment
      </Button>
    </form>
  )
}

/** Whether the membership is in force. */
function isHeld({ state }: ConsoleMember): boolean {
  return state === 'ACTIVE' || state === 'PAST_DUE'
}

/** The fields of a check or cash payment, to record or correct it. */
export function OfflinePaymentFields({
  member,
  priceOf,
  saved,
  problems,
  onLevel,
}: {
  member: ConsoleMember
  /** The level whose price is the default amount; omitted when the amount is known. */
  priceOf?: string
  saved: Record<(typeof PAYMENT_FIELDS)[number], string>
  problems: Partial<Record<(typeof PAYMENT_FIELDS)[number], string>>
  onLevel(key: string): void
}) {
  const { method, reference, amount, paidOn } = problems
  return (
    <>
      <LevelField member={member} saved={saved.levelKey} onChange={onLevel} error={problems.levelKey} />
      <div className="pair">
        <FieldBox id="field-method" label="Paid by" {...(method && { error: method })}>
          <select className="input" id="field-method" name="method" defaultValue={saved.method}>
            <option value="cheque">Check</option>
            <option value="cash">Cash</option>
          </select>
        </FieldBox>
        <Field
          label="Reference"
          name="reference"
          maxLength={80}
          autoComplete="off"
          defaultValue={saved.reference}
          hint="The check number, or a name for the cash payment."
          {...(reference && { error: reference })}
        />
      </div>
      <div className="pair">
        <Field
          key={priceOf ?? 'known'}
          label="Amount ($)"
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={saved.amount}
          {...(amount && { error: amount })}
        />
        <Field
          label="Received on"
          name="paidOn"
          type="date"
          defaultValue={saved.paidOn}
          {...(paidOn && { error: paidOn })}
        />
      </div>
    </>
  )
}

function levelOf({ subscription, levels }: ConsoleMember): string {
  return subscription?.membershipLevel.key ?? levels[0]?.key ?? ''
}

function LevelField({
  member,
  saved = levelOf(member),
  onChange,
  error,
}: {
  member: ConsoleMember
  saved?: string
  onChange(key: string): void
  error: string | undefined
}) {
  return (
    <FieldBox id="field-levelKey" label="Level" {...(error && { error })}>
      <select
        className="input"
        id="field-levelKey"
        name="levelKey"
        defaultValue={saved}
        onChange={(event) => onChange(event.target.value)}
      >
        {member.levels.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </FieldBox>
  )
}
