import { useEffect, useRef } from 'react'
import type { SponsorTier } from '#contract/sponsors.ts'
import { leaveFor } from '#web/api/leave.ts'
import { pause } from '#web/api/pause.ts'
import { useBotCheck } from '#web/features/auth/bot-check.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { readValues, useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, TextArea } from '#web/ui/field.tsx'
import type { FormToken } from './start-sponsorship.ts'

const FIELDS = ['name', 'email', 'company', 'amount', 'phone', 'message'] as const
const TRAP = ['homepage'] as const
/** Nobody waits longer for a bot check that a sponsor may do without. */
const BOT_CHECK_PATIENCE_MS = 3_000

const loadStart = () => import('./start-sponsorship.ts')

/** Who sponsors; sent, it leads to the card provider. Mounted anew each time it opens, so it is always empty then. */
export function SponsorForm({ tier, onCancel }: { tier: SponsorTier; onCancel(): void }) {
  const botCheck = useBotCheck()
  const token = useRef<Promise<FormToken | null> | null>(null)

  // Whoever cancels while it is sent goes nowhere, and hears nothing more of it.
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
    explain: explainCheckout,
    async send({ amount, ...who }) {
      try {
        const [{ startSponsorship }, { priceOf }] = await Promise.all([loadStart(), import('./sponsor-order.rules.ts')])
        const { homepage } = readValues(form.props.ref.current as HTMLFormElement, TRAP)
        const recaptchaToken = await Promise.race([
          botCheck('sponsor_checkout').catch(() => undefined),
          pause(BOT_CHECK_PATIENCE_MS).then(() => undefined),
        ])
        const order = { ...who, ...priceOf(tier, amount), recaptchaToken, ...(homepage && { homepage }) }
        const address = await startSponsorship(order, await token.current)
        if (isOpen.current) await leaveFor(address)
      } catch (cause) {
        // This window is required; what was typed stays.
        if (isOpen.current) window.alert(explainCheckout(cause))
        throw cause
      }
    },
  })

  return (
    <form {...form.props} className="sponsor-form">
      <FormMessages form={form} />
      <div className="pair">
        <Field label="Full name" name="name" autoComplete="name" autoFocus error={form.problems.name} />
        <Field label="Email" name="email" type="email" autoComplete="email" error={form.problems.email} />
      </div>
      <Field label="Company or organization" name="company" autoComplete="organization" error={form.problems.company} />
      {tier.unitAmount === null && (
        <Field
          label="Amount in dollars"
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          hint="From $1.00, such as 250 or 99.50."
          error={form.problems.amount}
        />
      )}
      <Field label="Phone (optional)" name="phone" type="tel" autoComplete="tel" error={form.problems.phone} />
      <TextArea label="Message (optional)" name="message" rows={3} error={form.problems.message} />
      {/* Filled in by programs alone: no person, reader or password manager meets it. */}
      <div hidden>
        <label htmlFor="sponsor-homepage">Leave this empty</label>
        <input id="sponsor-homepage" name={TRAP[0]} tabIndex={-1} autoComplete="off" />
      </div>
      <div className="buttons">
        <Button type="submit" busy={form.isSending} busyLabel="One moment">
          Continue to payment
        </Button>
        <Button variant="line" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <p className="small soft">You pay on the page of our card provider; we never see your card.</p>
    </form>
  )
}

function explainCheckout(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : ''
  // The sentence goes on after it.
  return `Checkout failed: ${message.replace(/\.$/, '')}. Please try again or contact us.`
}
