import { useState } from 'react'
import { addCoupon, couponLimits, type CouponList } from '#contract/console/coupons.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, FieldBox } from '#web/ui/field.tsx'

const FIELDS = ['code', 'kind', 'off', 'levels', 'validUntil', 'mostUses', 'note'] as const

/** Creates a coupon. Input survives a closed tab. */
export function CouponForm({ found, onAdded }: { found: CouponList; onAdded(found: CouponList, code: string): void }) {
  const [chosen, setChosen] = useState<readonly string[]>(() => found.levels.map(({ key }) => key))
  const form = useDraftForm('new-coupon', {
    order: FIELDS,
    errorMessage: officerErrorMessage,
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
      onAdded(next, code.trim().toUpperCase())
    },
  })
  const { errors: problems } = form
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field
        label="Code"
        name="code"
        maxLength={couponLimits.codeMax}
        autoComplete="off"
        autoCapitalize="characters"
        hint="Letters, digits and dashes. Members enter it at checkout."
        {...(problems.code && { error: problems.code })}
      />
      <div className="pair">
        <Field
          label="Discount"
          name="off"
          inputMode="decimal"
          maxLength={12}
          autoComplete="off"
          hint="Off the first term, once."
          {...(problems.off && { error: problems.off })}
        />
        <FieldBox id="field-kind" label="Unit" {...(problems.kind && { error: problems.kind })}>
          <select className="input" id="field-kind" name="kind" defaultValue="percent">
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
          hint="Leave empty for no end date."
          {...(problems.validUntil && { error: problems.validUntil })}
        />
        <Field
          label="Usage limit"
          name="mostUses"
          inputMode="numeric"
          autoComplete="off"
          hint="Leave empty for no limit."
          {...(problems.mostUses && { error: problems.mostUses })}
        />
      </div>
      <Field
        label="Note for officers"
        name="note"
        maxLength={couponLimits.noteMax}
        autoComplete="off"
        {...(problems.note && { error: problems.note })}
      />
      <p className="small soft">
        A coupon works for a member’s first paid term only, and not for the officer who created it. Coupons can’t be
        edited: deactivate one and create another. Renewals are at full price.
      </p>
      <Button type="submit" busy={form.isSubmitting} busyLabel="Activating">
        Activate coupon
      </Button>
    </form>
  )
}
