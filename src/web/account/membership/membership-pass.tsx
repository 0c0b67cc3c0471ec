import type { Profile, Subscription } from '#contract/public/account.ts'
import { priceAmount, pricePeriod } from '#contract/money.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { membershipDates, statusLabel } from '#web/shared/membership-text.rules.ts'
import { isMembershipCurrent } from '#web/shared/plan-label.rules.ts'
import { Badge } from '#web/ui/badge.tsx'

/** The membership card: printed cloth while the membership runs, brown once it has ended. */
export function MembershipPass({ profile, subscription }: { profile: Profile; subscription: Subscription }) {
  const { association } = useFrameContents()
  const { membershipLevel, kind, status } = subscription
  const { label, tone } = statusLabel(status)
  return (
    <div className="pass" data-ended={!isMembershipCurrent(subscription) || undefined}>
      <div className="pass-top">
        <i aria-hidden="true" />
        <span>{association.name}</span>
        <span className="visually-hidden">Status: </span>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <div className="pass-name">
        <p>
          {profile.name.first} {profile.name.last}
        </p>
        <p className="pass-level">
          {membershipLevel.name}{' '}
          <small>
            {kind === 'ONE_TIME'
              ? 'Lifetime membership'
              : `${priceAmount(membershipLevel)} ${pricePeriod(membershipLevel)}`}
          </small>
        </p>
      </div>
      <dl>
        {membershipDates(subscription).map(({ label: date, value }) => (
          <div key={date}>
            <dt>{date}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
