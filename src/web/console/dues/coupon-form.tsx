import { useState } from 'react'
import { addCoupon, couponLimits, type CouponList } from '#contract/console-coupons.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, FieldBox } from '#web/ui/field.tsx'

const FIELDS = ['code', 'kind', 'off', 'levels', 'validUntil', 'mostUses', 'note'] as const

/** A new code. What is typed outlives a closed tab. */
export function CouponForm({ found, onAdded }: { found: CouponList; onAdded(found: CouponList, code: string): void }) {
  const [chosen, setChosen] = useState<readonly string[]>(() => found.levels.map(({ key }) => key))
  const form = useKeptForm('new-coupon', {
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
      onAdded(next, code.trim().toUpperCase())
    },
  })
  const { problems } = form
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <Field
        label="Code"
        name="code"
        maxLength={couponLimits.codeMax}
        autoComplete="off"
        autoCapitalize="characters"
        hint="Letters, digits and dashes. It is typed on the card provider’s page."
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
          {...(problems.off && { error: problems.off })}
        />
        <FieldBox id="field-kind" label="In" {...(problems.kind && { error: problems.kind })}>
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
          hint="Empty: until it is ended."
          {...(problems.validUntil && { error: problems.validUntil })}
        />
        <Field
          label="Most uses"
          name="mostUses"
          inputMode="numeric"
          autoComplete="off"
          hint="Empty: as often as people like."
          {...(problems.mostUses && { error: problems.mostUses })}
        />
      </div>
      <Field
        label="Note, for officers"
        name="note"
        maxLength={couponLimits.noteMax}
        autoComplete="off"
        {...(problems.note && { error: problems.note })}
      />
      <p className="small soft">
        A code works for a person’s first paid term only, and not for whoever gives it out. A code is never changed. To
        change one, end it and give out another. Whoever pays with it renews at the full price.
      </p>
      <Button type="submit" busy={form.isSending} busyLabel="Making it">
        Give out this code
      </Button>
    </form>
  )
}
