import { useState } from 'react'
import type { Subscription } from '#contract/public/account.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { paths } from '#web/app/paths.ts'
import { ManageBilling } from '#web/shared/manage-billing.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { isMembershipCurrent } from '#web/shared/plan-label.rules.ts'
import { renewalAction } from '#web/shared/membership-text.rules.ts'

/** How the membership renews, and the available action: renew, manage billing or choose a membership; none for life members. */
export function MembershipActions({
  subscription,
  isAskedAbove = false,
}: {
  subscription: Subscription | null
  /** Whether the page already asks to renew, so that the action is not the main one here. */
  isAskedAbove?: boolean
}) {
  const [now] = useState(() => Date.now())
  if (!subscription || !isMembershipCurrent(subscription)) {
    return (
      <div className="buttons">
        <ButtonLink size="small" to={paths.becomeAMember()}>
          {subscription ? 'Renew or choose a membership' : 'Become a member'}
        </ButtonLink>
      </div>
    )
  }
  const action = renewalAction(subscription, now)
  if (action === null) return null
  return (
    <>
      <p className="small soft">{action.message}</p>
      {action.label && (
        <ManageBilling
          label={action.label}
          variant={isAskedAbove || action.label === 'Manage billing' ? 'line' : 'solid'}
        />
      )}
    </>
  )
}

/** The membership stays active while a failed renewal is retried (docs/product-rules.md#membership-status). */
export function PastDueBanner({ subscription: { cancelDate, nextBillDate } }: { subscription: Subscription }) {
  return (
    <Banner tone="bad" title="Your last payment did not go through.">
      <p>
        {cancelDate
          ? `Your membership stays active until ${formatLongDate(cancelDate)}.`
          : 'Your membership stays active for 14 days.'}{' '}
        {nextBillDate && `We will try your card again on ${formatLongDate(nextBillDate)}. `}
        Update your card under Manage billing and we'll charge what is due right away.
      </p>
      <ManageBilling label="Update card" />
    </Banner>
  )
}
