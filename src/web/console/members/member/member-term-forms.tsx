import { useState } from 'react'
import { recordByHand } from '#contract/console-hand-payments.ts'
import { setTerm, type ConsoleMember } from '#contract/console-member.ts'
import { dayOf, formatLongDate } from '#contract/dates.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { heedOthers, useOvertaken } from '#web/features/console/heed-others.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { SaysNow } from '#web/features/console/says-now.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldBox } from '#web/ui/field.tsx'

interface MemberFormProps {
  member: ConsoleMember
  onSaved(member: ConsoleMember): void
  reload(): void
}

const TERM_FIELDS = ['levelKey', 'endsOn', 'reason'] as const

/** A membership without payment, or another end for the one that runs. */
export function TermForm({ member, onSaved, reload }: MemberFormProps) {
  const saved = {
    levelKey: levelOf(member),
    endsOn: member.endsAt && isHeld(member) ? dayOf(Date.parse(member.endsAt), 'America/New_York') : '',
  }
  const [levelKey, setLevelKey] = useState(saved.levelKey)
  const isLifetime = member.levels.find(({ key }) => key === levelKey)?.isLifetime ?? false
  const form = useKeptForm(`term:${member.id}`, {
    order: TERM_FIELDS,
    explain: explainToOfficer,
    async send({ endsOn, reason }) {
      const body = { levelKey, reason, version: member.version, ...(!isLifetime && { endsOn }) }
      onSaved(await heedOthers(reload, () => callAsOfficer(setTerm, { params: { id: member.id }, body })))
    },
  })
  const overtaken = useOvertaken(form.props.ref, saved, form.found)
  const { endsOn, reason } = form.problems
  const running = isHeld(member) ? member.subscription?.membershipLevel : null
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <SaysNow overtaken={overtaken} />
      <LevelField member={member} onChange={setLevelKey} error={form.problems.levelKey} />
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
        label="Reason for the books and the audit log"
        name="reason"
        maxLength={300}
        autoComplete="off"
        {...(reason && { error: reason })}
      />
      <p className="hint">
        {member.movesTermOf === levelKey
          ? 'The membership goes on to this day. No email is sent.'
          : `The membership begins now${running ? ` and takes the place of ${running.name}` : ''}. The member gets a welcome email.`}{' '}
        Nothing is charged.
      </p>
      <Button type="submit" busy={form.isSending} busyLabel="Saving">
        Save the term
      </Button>
    </form>
  )
}

export const PAYMENT_FIELDS = ['levelKey', 'method', 'reference', 'amount', 'paidOn'] as const

/** Money that came without a card. What is typed outlives a closed tab. */
export function HandPaymentForm({ member, onSaved, reload }: MemberFormProps) {
  const [levelKey, setLevelKey] = useState(levelOf(member))
  const [today] = useState(() => dayOf(Date.now(), 'America/New_York'))
  const level = member.levels.find(({ key }) => key === levelKey)
  const form = useKeptForm(`payment:${member.id}`, {
    order: PAYMENT_FIELDS,
    explain: explainToOfficer,
    async send({ method, reference, amount, paidOn }) {
      const body = {
        levelKey,
        reference,
        amount,
        paidOn,
        version: member.version,
        method: method === 'cash' ? 'cash' : 'cheque',
      } as const
      onSaved(await heedOthers(reload, () => callAsOfficer(recordByHand, { params: { id: member.id }, body })))
    },
  })
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <HandPaymentFields
        member={member}
        priceOf={levelKey}
        saved={{
          levelKey: levelOf(member),
          method: 'cheque',
          reference: '',
          amount: level?.unitAmount ? String(level.unitAmount / 100) : '',
          paidOn: today,
        }}
        problems={form.problems}
        onLevel={setLevelKey}
      />
      <p className="hint">
        It pays for one term{level?.isLifetime ? ' for life' : ''}: from the end of the one that runs, or from today.
        {member.state === 'ACTIVE' &&
          member.endsAt &&
          ` The one that runs ends on ${formatLongDate(member.endsAt)}.`}{' '}
        {member.movesTermOf === levelKey ? 'A receipt goes' : 'A welcome email and a receipt go'} to {member.email}.
      </p>
      <Button type="submit" busy={form.isSending} busyLabel="Recording">
        Record the payment
      </Button>
    </form>
  )
}

/** Whether its rights exist. */
function isHeld({ state }: ConsoleMember): boolean {
  return state === 'ACTIVE' || state === 'PAST_DUE'
}

/** What a check or cash was: for recording it, and for correcting what was recorded. */
export function HandPaymentFields({
  member,
  priceOf,
  saved,
  problems,
  onLevel,
}: {
  member: ConsoleMember
  /** The level whose price the amount follows; left out where the amount is known. */
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
          label="Number or mark"
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
          label="Amount in dollars"
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
