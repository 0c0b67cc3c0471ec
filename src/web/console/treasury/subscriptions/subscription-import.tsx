import { useState } from 'react'
import {
  importSubscriptions,
  reviewSubscriptions,
  type EarlierPrice,
  type SubscriptionReview,
} from '#contract/console/money/subscription-imports.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Link } from '#web/ui/link.tsx'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { ConsolePage } from '#web/console/shell/console-page.tsx'
import { useAction } from '#web/console/shell/use-action.ts'
import { showToast } from '#web/console/ui/toasts.tsx'
import { subscriptionsOf } from './subscription-format.ts'
import { EarlierLevels } from './earlier-levels.tsx'
import { RecentSubscriptionImports } from './recent-subscription-imports.tsx'
import { SubscriptionResults } from './subscription-results.tsx'

/** Continues subscriptions that an earlier system created in the association's own account at the card provider: the result of each one first. */
export default function SubscriptionImportPage() {
  const action = useAction()
  const [review, setReview] = useState<SubscriptionReview | null>(null)
  const [imports, setImports] = useState(0)

  function look(choices: { key: string; levelKey: string | null }[] = []) {
    void action.run(choices[0]?.key ?? 'review', async () =>
      setReview(await callAsOfficer(reviewSubscriptions, { body: { choices } })),
    )
  }

  function start({ digest }: SubscriptionReview) {
    void action.run('import', async () => {
      const { subscriptions } = await callAsOfficer(importSubscriptions, { body: { digest } })
      showToast(`${subscriptionsOf(subscriptions)} will be imported now.`)
      setReview(null)
      setImports(imports + 1)
    })
  }

  const choose = ({ key }: EarlierPrice, levelKey: string | null) => look([{ key, levelKey }])

  return (
    <ConsolePage title="Import subscriptions" crumb={<Link to="/console/payments">Payments</Link>}>
      <div className="stack">
        <Card title="Subscriptions of an earlier system">
          <p>
            If your earlier system charges members’ cards through your own Stripe account, these subscriptions can go on
            here. Each keeps its price and its day. Nothing is charged and no one is emailed; the next renewal is an
            ordinary one, with a receipt.
          </p>
          <ol>
            <li>
              <Link to="/console/member-imports">Import the members</Link> first: subscriptions find their accounts by
              email.
            </li>
            <li>Review, and say which level each earlier price is.</li>
            <li>
              Afterwards, stop renewals and their emails in the earlier system. Do not cancel the subscriptions there:
              that would end them here too.
            </li>
          </ol>
          <ActionMessages action={action} />
          <Button busy={action.busy === 'review'} busyLabel="Reading" onClick={() => look()}>
            {review ? 'Review again' : 'Review'}
          </Button>
        </Card>
        {review && (
          <>
            <EarlierLevels review={review} busy={action.busy} onChoose={choose} />
            <SubscriptionResults
              review={review}
              isBusy={action.busy === 'import'}
              isStale={action.busy !== null}
              onImport={() => start(review)}
            />
          </>
        )}
        <RecentSubscriptionImports key={imports} />
      </div>
    </ConsolePage>
  )
}
