import { currencyName, currencySign } from '#contract/money.ts'
import { useEffect, useRef } from 'react'
import type { SponsorTier } from '#contract/public/sponsors.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { delay } from '#web/api/delay.ts'
import { useBotCheck } from '#web/session/bot-check.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { readValues, useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, TextArea } from '#web/ui/field.tsx'
import { storePendingSponsorship } from './pending-sponsorship.ts'
import type { FormToken } from './start-sponsorship.ts'

const FIELDS = ['name', 'email', 'company', 'amount', 'phone', 'message'] as const
const HONEYPOT = ['homepage'] as const
/** The bot check is optional for sponsors, so do not wait longer for it. */
const BOT_CHECK_TIMEOUT_MS = 3_000

const loadStart = () => import('./start-sponsorship.ts')

/** The sponsor's details; submitting leads to the card provider. Remounted each time it opens, so it starts empty. */
export function SponsorForm({ tier, onCancel }: { tier: SponsorTier; onCancel(): void }) {
  const botCheck = useBotCheck()
  const token = useRef<Promise<FormToken | null> | null>(null)

  // If the visitor cancels while submitting, they stay on the page and see no error.
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])

  useEffect(() => {
    token.current ??= loadStart().then(
      ({ fetchFormToken }) => fetchFormToken(),
      () => null,
    )
  }, [])

  const form = useForm({
    order: FIELDS,
    loadCheck: async () => {
      const { checkSponsor } = await import('./sponsor-order.rules.ts')
      return (values) => checkSponsor(tier, values)
    },
    prepare: loadStart,
    errorMessage: explainCheckout,
    async send({ amount, ...details }) {
      try {
        const [{ startSponsorship }, { toTierPrice: priceOf }] = await Promise.all([
          loadStart(),
          import('./sponsor-order.rules.ts'),
        ])
        const { homepage } = readValues(form.props.ref.current as HTMLFormElement, HONEYPOT)
        const recaptchaToken = await Promise.race([
          botCheck('sponsor_checkout').catch(() => undefined),
          delay(BOT_CHECK_TIMEOUT_MS).then(() => undefined),
        ])
        const order = { ...details, ...priceOf(tier, amount), recaptchaToken, ...(homepage && { homepage }) }
        const address = await startSponsorship(order, await token.current)
        if (!isOpen.current) return
        storePendingSponsorship({ company: details.company, tier: tier.name })
        await redirectTo(address)
      } catch (cause) {
        // The specification requires an alert; the form keeps its values.
        if (isOpen.current) window.alert(explainCheckout(cause))
        throw cause
      }
    },
  })

  return (
    <form {...form.props} className="sponsor-form">
      <FormMessages form={form} />
      <div className="pair">
        <Field label="Full name" name="name" autoComplete="name" autoFocus error={form.errors.name} />
        <Field label="Email" name="email" type="email" autoComplete="email" error={form.errors.email} />
      </div>
      <Field label="Company or organization" name="company" autoComplete="organization" error={form.errors.company} />
      {tier.unitAmount === null && (
        <Field
          label={`Amount in ${currencyName()}`}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          hint={`From ${currencySign()}1.00, such as 250 or 99.50.`}
          error={form.errors.amount}
        />
      )}
      <Field label="Phone (optional)" name="phone" type="tel" autoComplete="tel" error={form.errors.phone} />
      <TextArea label="Message (optional)" name="message" rows={3} error={form.errors.message} />
      {/* A honeypot: hidden from people, screen readers and password managers. */}
      <div hidden>
        <label htmlFor="sponsor-homepage">Leave this empty</label>
        <input id="sponsor-homepage" name={HONEYPOT[0]} tabIndex={-1} autoComplete="off" />
      </div>
      <div className="buttons">
        <Button type="submit" busy={form.isSubmitting} busyLabel="One moment">
          Continue to payment
        </Button>
        <Button variant="line" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <p className="small soft">You'll pay on our card processor's secure page. We never see your card number.</p>
    </form>
  )
}

function explainCheckout(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : ''
  // More text follows, so drop the final period.
  return `Checkout failed: ${message.replace(/\.$/, '')}. Please try again or contact us.`
}
