import { useState } from 'react'
import { addMember, PAID_BY, type getMemberForm } from '#contract/console/member-account.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { validate, type FormValues } from '#web/forms/validate.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, FieldBox } from '#web/ui/field.tsx'
import { suggestedEnd } from './member/term-end.rules.ts'

type Found = ReplyOf<typeof getMemberForm>

const FIELDS = [
  'firstName',
  'lastName',
  'email',
  'isSomebodyElse',
  'levelKey',
  'startedOn',
  'endsOn',
  'paidBy',
  'reason',
  'reference',
  'amount',
  'paidOn',
  'invites',
] as const
type Name = (typeof FIELDS)[number]

const PAID_BY_NAMES = { free: 'Complimentary', cheque: 'Check', cash: 'Cash' } as const
const BODY = addMember.body

/** The fields of an import row plus the payment. Input survives a closed tab. */
export function AddMemberForm({ found, onAdded }: { found: Found; onAdded(id: string): void }) {
  const { levels, today, mayRecordPayments } = found
  const [levelKey, setLevelKey] = useState(levels[0]?.key ?? '')
  const [startedOn, setStartedOn] = useState(today)
  const [paidBy, setPaidBy] = useState<(typeof PAID_BY)[number]>('free')
  const [isNamesake, setNamesake] = useState(false)
  const level = levels.find(({ key }) => key === levelKey) ?? levels[0]
  const isFree = paidBy === 'free'
  const costs = (level?.unitAmount ?? 0) > 0

  function bodyOf(values: FormValues<Name>) {
    return {
      email: values.email,
      firstName: values.firstName,
      lastName: values.lastName,
      levelKey: values.levelKey,
      startedOn: values.startedOn,
      ...(!level?.isLifetime && { endsOn: values.endsOn }),
      paidBy,
      ...(isFree && costs && { reason: values.reason }),
      ...(!isFree && { reference: values.reference, amount: values.amount, paidOn: values.paidOn }),
      invites: values.invites === 'on',
      ...(values.isSomebodyElse === 'on' && { isSomebodyElse: true }),
    }
  }

  const form = useDraftForm('new-member', {
    order: FIELDS,
    errorMessage: officerErrorMessage,
    check: (values) => (BODY ? validate(BODY, bodyOf(values)) : {}),
    async send(values) {
      try {
        const { id } = await callAsOfficer(addMember, { body: bodyOf(values) })
        onAdded(id)
      } catch (failure) {
        if (failure instanceof CallFailure && failure.fieldErrors['isSomebodyElse']) setNamesake(true)
        throw failure
      }
    },
  })
  const error = (name: Name) => {
    const sentence = form.errors[name]
    return sentence ? { error: sentence } : {}
  }
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <div className="pair">
        <Field label="First name" name="firstName" autoComplete="off" {...error('firstName')} />
        <Field label="Last name" name="lastName" autoComplete="off" {...error('lastName')} />
      </div>
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="off"
        hint="The member logs in with it. The username is derived from it and can be changed later."
        {...error('email')}
      />
      {isNamesake && (
        <Checkbox label="This is a different person. Add anyway" name="isSomebodyElse" {...error('isSomebodyElse')} />
      )}
      <FieldBox id="field-levelKey" label="Level" {...error('levelKey')}>
        <select
          className="input"
          id="field-levelKey"
          name="levelKey"
          defaultValue={levelKey}
          onChange={({ target }) => setLevelKey(target.value)}
        >
          {levels.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </FieldBox>
      <div className="pair">
        <Field
          label="First day"
          name="startedOn"
          type="date"
          defaultValue={today}
          onInput={({ currentTarget }) => setStartedOn(currentTarget.value)}
          {...error('startedOn')}
        />
        {level && !level.isLifetime && (
          <Field
            key={`${level.key} ${startedOn}`}
            label="Last day"
            name="endsOn"
            type="date"
            defaultValue={suggestedEnd(startedOn, level)}
            {...error('endsOn')}
          />
        )}
      </div>
      <FieldBox
        id="field-paidBy"
        label="Paid by"
        hint={
          mayRecordPayments
            ? undefined
            : 'Your role can’t record payments. The treasurer can do it on the member’s page.'
        }
        {...error('paidBy')}
      >
        <select
          className="input"
          id="field-paidBy"
          name="paidBy"
          defaultValue={paidBy}
          onChange={({ target }) => setPaidBy(PAID_BY.find((one) => one === target.value) ?? 'free')}
        >
          {PAID_BY.filter((one) => one === 'free' || mayRecordPayments).map((one) => (
            <option key={one} value={one}>
              {PAID_BY_NAMES[one]}
            </option>
          ))}
        </select>
      </FieldBox>
      {isFree && costs && (
        <Field label="Reason for the audit log" name="reason" maxLength={300} autoComplete="off" {...error('reason')} />
      )}
      {!isFree && (
        <>
          <div className="pair">
            <Field
              label="Reference"
              name="reference"
              maxLength={80}
              autoComplete="off"
              hint="The check number, or a name for the cash payment."
              {...error('reference')}
            />
            <Field
              key={levelKey}
              label="Amount ($)"
              name="amount"
              inputMode="decimal"
              autoComplete="off"
              defaultValue={level?.unitAmount ? String(level.unitAmount / 100) : ''}
              {...error('amount')}
            />
          </div>
          <Field label="Received on" name="paidOn" type="date" defaultValue={today} {...error('paidOn')} />
          <p className="hint">We’ll email a receipt to the member.</p>
        </>
      )}
      <Checkbox
        label="Send an email with a link to choose a password"
        name="invites"
        defaultChecked
        {...error('invites')}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Adding">
        Add member
      </Button>
    </form>
  )
}
