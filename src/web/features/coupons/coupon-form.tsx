import { useState } from 'react'
import { addCoupon, couponLimits, type CouponList } from '#contract/console-coupons.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { useDraft } from '#web/features/console/use-draft.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, FieldBox } from '#web/ui/field.tsx'

const FIELDS = ['code', 'kind', 'off', 'levels', 'validUntil', 'mostUses', 'note'] as const

/** A new code. What is typed outlives a closed tab. */
export function CouponForm({ found, onAdded }: { found: CouponList; onAdded(found: CouponList, code: string): void }) {
  const draft = useDraft('new coupon')
  const [chosen, setChosen] = useState<readonly string[]>(() => found.levels.map(({ key }) => key))
  const form = useForm({
    order: FIELDS,
    explain: explainToOfficer,
    async send({ code, kind, off, validUntil, mostUses, note }) {
      const body = {
        code,
        kind: kind === 'amount' ? 'amount' : 'percent',
        off,
        levels: chosen,
        note,
        ...(validUntil && { validUntil }),
        ...(mostUses && { mostUses: Number(mostUses) }),
      } as const
      const next = await callAsOfficer(addCoupon, { body: { ...body, levels: [...chosen] } })
      draft.forget()
      onAdded(next, code.trim().toUpperCase())
    },
  })
  const { problems } = form
  return (
    <form
      {...form.props}
      onInput={(event) => {
        form.props.onInput(event)
        draft.keep(event.currentTarget)
      }}
    >
      <FormMessages form={form} />
      <Field
        label="Code"
        name="code"
        maxLength={couponLimits.codeMax}
        autoComplete="off"
        autoCapitalize="characters"
        hint="Letters, digits and dashes. It is typed on the card provider’s page."
        defaultValue={draft.values['code'] ?? ''}
        {...(problems.code && { error: problems.code })}
      />
      <div className="pair">
        <Field
          label="Takes off"
          name="off"
          inputMode="decimal"
          maxLength={12}
          autoComplete="off"
          hint="Of the first term, once."
          defaultValue={draft.values['off'] ?? ''}
          {...(problems.off && { error: problems.off })}
        />
        <FieldBox id="field-kind" label="In" {...(problems.kind && { error: problems.kind })}>
          <select className="input" id="field-kind" name="kind" defaultValue={draft.values['kind'] ?? 'percent'}>
            <option value="percent">Percent</option>
            <option value="amount">Dollars</option>
          </select>
        </FieldBox>
      </div>
      <fieldset className="coupon-levels" id="field-levels" aria-describedby="field-levels-error">
        <legend>For</legend>
        {found.levels.map(({ key, name, unitAmount, currency }) => (
          <Checkbox
            key={key}
            name={`level-${key}`}
            label={`${name}, ${formatMoney(unitAmount, currency)}`}
            checked={chosen.includes(key)}
            onChange={({ target }) =>
              setChosen(target.checked ? [...chosen, key] : chosen.filter((other) => other !== key))
            }
          />
        ))}
        <p className="error-text" id="field-levels-error">
          {problems.levels}
        </p>
      </fieldset>
      <div className="pair">
        <Field
          label="Last day"
          name="validUntil"
          type="date"
          hint="Empty: until it is ended."
          defaultValue={draft.values['validUntil'] ?? ''}
          {...(problems.validUntil && { error: problems.validUntil })}
        />
        <Field
          label="Most uses"
          name="mostUses"
          inputMode="numeric"
          autoComplete="off"
          hint="Empty: as often as people like."
          defaultValue={draft.values['mostUses'] ?? ''}
          {...(problems.mostUses && { error: problems.mostUses })}
        />
      </div>
      <Field
        label="Note, for officers"
        name="note"
        maxLength={couponLimits.noteMax}
        autoComplete="off"
        defaultValue={draft.values['note'] ?? ''}
        {...(problems.note && { error: problems.note })}
      />
      <p className="small soft">
        A code is never changed. To change one, end it and give out another. Who pays with it renews at the full price.
      </p>
      <Button type="submit" busy={form.isSending} busyLabel="Making it">
        Give out this code
      </Button>
    </form>
  )
}
