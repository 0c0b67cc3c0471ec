import { useState } from 'react'
import { formatLongDate } from '#contract/dates/dates.ts'
import { paths } from '#web/app/paths.ts'
import { isMembershipCurrent } from '#web/shared/plan-label.rules.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import type { AccountPageProps } from '../account-frame.tsx'
import { Box } from '../box.tsx'
import { MembershipActions, PastDueBanner } from '../membership/membership-actions.tsx'
import { MembershipPass } from '../membership/membership-pass.tsx'
import { RefreshMembership, RefreshProblem } from '../membership/refresh-membership.tsx'
import { LatestReceipts } from './latest-receipts.tsx'
import { MemberEvents } from './member-events.tsx'
import { SettingsList } from './settings-list.tsx'
import { TryAgain } from '../try-again.tsx'
import { TodoList } from './todo-list.tsx'
import { todo } from './todo.rules.ts'

/** The first page of the account: the membership card, what needs the member, events and receipts. */
export default function OverviewPage({ account, home, ...doing }: AccountPageProps) {
  const { profile, subscription } = account
  const [now] = useState(() => Date.now())
  const items = home.value ? todo(account, home.value, now) : []
  const isPastDue = subscription?.status === 'PAST_DUE'
  const hasEnded = subscription !== null && !isMembershipCurrent(subscription)
  return (
    <>
      {isPastDue && <PastDueBanner subscription={subscription} />}
      <div className="account-home">
        <Box title="Membership" isBare className="home-card">
          <RefreshProblem {...doing} />
          {subscription ? (
            <>
              <MembershipPass profile={profile} subscription={subscription} />
              {/* A new document, which the page's service worker keeps for a phone without a network. */}
              <ButtonLink variant="line" size="small" to={paths.card()} reloadDocument>
                Show membership card
              </ButtonLink>
            </>
          ) : (
            <p>You have no membership yet. Choose one and take your place at the table.</p>
          )}
          {!hasEnded && (
            <MembershipActions
              subscription={subscription}
              isAskedAbove={isPastDue || items.some(({ kind }) => kind === 'renew' || kind === 'pay')}
            />
          )}
          <RefreshMembership {...doing} />
        </Box>
        <div className="home-todo">
          {hasEnded && (
            <Box title={endTitle(subscription.cancelDate)}>
              <p>
                Renew and your member prices and your vote come back right away. You can still log in, and your receipts
                stay here.
              </p>
              <MembershipActions subscription={subscription} />
            </Box>
          )}
          {home.value === null && !home.hasFailed && (
            <Box title="To do">
              <Skeleton height="6rem" />
            </Box>
          )}
          {home.value && <TodoList items={items} isMainTaken={isPastDue || hasEnded} onChanged={home.load} />}
        </div>
        <div className="home-events">
          {home.hasFailed && (
            <TryAgain message="Your events could not be loaded. Please check your connection." onRetry={home.load} />
          )}
          {home.value && <MemberEvents rsvps={home.value.rsvps} />}
        </div>
        <div className="home-receipts">
          <LatestReceipts version={account} />
        </div>
      </div>
      <SettingsList />
    </>
  )
}

function endTitle(cancelDate: string | null): string {
  return cancelDate ? `Your membership ended on ${formatLongDate(cancelDate)}` : 'Your membership is not active'
}
