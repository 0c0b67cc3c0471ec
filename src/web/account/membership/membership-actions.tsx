import { useState } from 'react'
import type { Subscription } from '#contract/account.ts'
import { formatLongDate } from '#contract/dates.ts'
import { ManageBilling } from '#web/features/billing/manage-billing.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { hasRights } from '#web/features/membership/plan-label.rules.ts'
import { wayOn } from './membership-words.rules.ts'

/** What can be done about a membership: renew, manage billing, choose one; nothing for life. */
export function WaysOn({ subscription, plansPath }: { subscription: Subscription | null; plansPath: string }) {
  const [now] = useState(() => Date.now())
  if (!subscription || !hasRights(subscription)) {
    return (
      <div className="buttons">
        <ButtonLink size="small" to={plansPath}>
          {subscription ? 'Renew or choose a membership' : 'Become a member'}
        </ButtonLink>
      </div>
    )
  }
  const way = wayOn(subscription, now)
  if (way === null) return null
  return (
    <>
      <p>{way.sentence}</p>
      {way.label && <ManageBilling label={way.label} />}
    </>
  )
}

/** Rights go on while a failed renewal is retried (docs/product-rules.md#membership-status). */
export function PastDue({ subscription: { cancelDate, nextBillDate } }: { subscription: Subscription }) {
  return (
    <div className="form-messages">
      <Banner tone="warn" title="Your last payment did not go through.">
        <p>
          {cancelDate
            ? `Your membership stays active until ${formatLongDate(cancelDate)}.`
            : 'Your membership stays active for 14 days.'}{' '}
          {nextBillDate && `We will try your card again on ${formatLongDate(nextBillDate)}. `}
          Update your card under Manage billing, and what is due is paid at once.
        </p>
      </Banner>
    </div>
  )
}
