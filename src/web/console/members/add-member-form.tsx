import { currencySign } from '#contract/money.ts'
import { useState } from 'react'
import { addMember, PAID_BY, type getMemberForm } from '#contract/console/member-account.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { validate, type FormValues } from '#web/forms/validate.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field } from '#web/ui/field.tsx'
import { suggestedEnd } from './member/term-end.rules.ts'

type Found = ReplyOf<typeof getMemberForm>

const FIELDS = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  isSomebodyElse: 'This is a different person. Add anyway',
  levelKey: 'Level',
  startedOn: 'First day',
  endsOn: 'Last day',
  paidBy: 'Paid by',
  reason: 'Reason for the audit log',
  reference: 'Reference',
  amount: 'Amount',
  paidOn: 'Received on',
  invites: 'Send an email with a link to choose a password',
}
type Name = keyof typeof FIELDS

const PAID_BY_NAMES = { free: 'Complimentary', cheque: 'Check', cash: 'Cash' } as const
const BODY = addMember.body

/** The fields of an import row plus the payment. Input survives a closed tab. */
export function AddMemberForm({ found, onAdded }: { found: Found; onAdded(id: string): void }) {
  const { levels, today, mayRecordPayments } = found
  const [isNamesake, setNamesake] = useState(false)
  const levelOf = (key: string | undefined) => levels.find((level) => level.key === key) ?? levels[0]

  function bodyOf(values: FormValues<Name>) {
    const level = levelOf(values.levelKey)
    const paidBy = PAID_BY.find((one) => one === values.paidBy) ?? 'free'
    return {
      email: values.email,
      firstName: values.firstName,
      lastName: values.lastName,
      levelKey: values.levelKey,
      startedOn: values.startedOn,
      ...(!level?.isLifetime && { endsOn: values.endsOn }),
      paidBy,
      ...(paidBy === 'free'
        ? (level?.unitAmount ?? 0) > 0 && { reason: values.reason }
        : { reference: values.reference, amount: values.amount, paidOn: values.paidOn }),
      invites: values.invites === 'on',
      ...(values.isSomebodyElse === 'on' && { isSomebodyElse: true }),
    }
  }

  const form = useDraftForm('new-member', {
    fields: { ...FIELDS, amount: `${FIELDS.amount} (${currencySign()})` },
    initial({ levelKey, startedOn = today }) {
      const level = levelOf(levelKey)
      return {
        levelKey: level?.key ?? '',
        startedOn: today,
        endsOn: level ? suggestedEnd(startedOn, level) : '',
        paidBy: 'free',
        amount: level?.unitAmount ? String(level.unitAmount / 100) : '',
        paidOn: today,
        invites: 'on',
      }
    },
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
  const { levelKey, paidBy } = form.values
  const level = levelOf(levelKey)
  const isFree = paidBy === 'free'
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <div className="pair">
        <Field {...form.field('firstName')} autoComplete="off" />
        <Field {...form.field('lastName')} autoComplete="off" />
      </div>
      <Field
        {...form.field('email')}
        type="email"
        autoComplete="off"
        hint="The member logs in with it. The username is derived from it and can be changed later."
      />
      {/* Not part of the draft: it must not be checked beforehand for the next person. */}
      {isNamesake && (
        <Checkbox label={FIELDS.isSomebodyElse} name="isSomebodyElse" error={form.errors.isSomebodyElse} />
      )}
      <SelectField
        {...form.field('levelKey')}
        onChange={({ currentTarget }) => form.change({ levelKey: currentTarget.value, endsOn: null, amount: null })}
        options={levels.map(({ key, name }) => [key, name] as const)}
      />
      <div className="pair">
        <Field
          {...form.field('startedOn')}
          type="date"
          onChange={({ currentTarget }) => form.change({ startedOn: currentTarget.value, endsOn: null })}
        />
        {level && !level.isLifetime && <Field {...form.field('endsOn')} type="date" />}
      </div>
      <SelectField
        {...form.field('paidBy')}
        hint={
          mayRecordPayments
            ? undefined
            : 'Your role can’t record payments. The treasurer can do it on the member’s page.'
        }
        options={PAID_BY.filter((one) => one === 'free' || mayRecordPayments).map((one) => [one, PAID_BY_NAMES[one]])}
      />
      {isFree && (level?.unitAmount ?? 0) > 0 && <Field {...form.field('reason')} maxLength={300} autoComplete="off" />}
      {!isFree && (
        <>
          <div className="pair">
            <Field
              {...form.field('reference')}
              maxLength={80}
              autoComplete="off"
              hint="The check number, or a name for the cash payment."
            />
            <Field {...form.field('amount')} inputMode="decimal" autoComplete="off" />
          </div>
          <Field {...form.field('paidOn')} type="date" />
          <p className="hint">We’ll email a receipt to the member.</p>
        </>
      )}
      <Checkbox {...form.checkbox('invites')} />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Adding">
        Add member
      </Button>
    </form>
  )
}
