import { addCoupon, couponLimits, type CouponList } from '#contract/console/coupons.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field } from '#web/ui/field.tsx'

const FIELDS = {
  code: 'Code',
  kind: 'Unit',
  off: 'Discount',
  levels: 'For',
  validUntil: 'Last day',
  mostUses: 'Usage limit',
  note: 'Note for officers',
}
const KIND_OPTIONS = [
  ['percent', 'Percent'],
  ['amount', 'Dollars'],
] as const

/** Creates a coupon. Input survives a closed tab. */
export function CouponForm({ found, onAdded }: { found: CouponList; onAdded(found: CouponList, code: string): void }) {
  const form = useDraftForm('new-coupon', {
    fields: FIELDS,
    // The keys of the levels, with spaces between them.
    initial: () => ({ kind: 'percent', levels: found.levels.map(({ key }) => key).join(' ') }),
    errorMessage: officerErrorMessage,
    async send({ code, kind, off, validUntil, mostUses, note }) {
      const body = {
        code,
        kind: kind === 'amount' ? 'amount' : 'percent',
        off,
        note,
        ...(validUntil && { validUntil }),
        ...(mostUses && { mostUses: Number(mostUses) }),
      } as const
      const next = await callAsOfficer(addCoupon, { body: { ...body, levels: chosen } })
      onAdded(next, code.trim().toUpperCase())
    },
  })
  const chosen = form.values.levels.split(' ').filter(Boolean)
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field
        {...form.field('code')}
        maxLength={couponLimits.codeMax}
        autoComplete="off"
        autoCapitalize="characters"
        hint="Letters, digits and dashes. Members enter it at checkout."
      />
      <div className="pair">
        <Field
          {...form.field('off')}
          inputMode="decimal"
          maxLength={12}
          autoComplete="off"
          hint="Off the first term, once."
        />
        <SelectField {...form.field('kind')} options={KIND_OPTIONS} />
      </div>
      <fieldset className="coupon-levels" id="field-levels" aria-describedby="field-levels-error">
        <legend>{FIELDS.levels}</legend>
        {found.levels.map(({ key, name, unitAmount, currency }) => (
          <Checkbox
            key={key}
            name={`level-${key}`}
            label={`${name}, ${formatMoney(unitAmount, currency)}`}
            checked={chosen.includes(key)}
            onChange={({ target }) =>
              form.change({
                levels: (target.checked ? [...chosen, key] : chosen.filter((other) => other !== key)).join(' '),
              })
            }
          />
        ))}
        <p className="error-text" id="field-levels-error">
          {form.errors.levels}
        </p>
      </fieldset>
      <div className="pair">
        <Field {...form.field('validUntil')} type="date" hint="Leave empty for no end date." />
        <Field {...form.field('mostUses')} inputMode="numeric" autoComplete="off" hint="Leave empty for no limit." />
      </div>
      <Field {...form.field('note')} maxLength={couponLimits.noteMax} autoComplete="off" />
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
