import { useState } from 'react'
import type { SubscriptionReview, SubscriptionRow } from '#contract/console/money/subscription-imports.ts'
import { SUBSCRIPTION_IMPORT_MAX } from '#contract/console/money/subscription-imports.ts'
import { formatMoney } from '#contract/money.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { subscriptionsOf } from './subscription-format.ts'
import { Figure } from '#web/console/ui/figure.tsx'

/** What an import would do with each subscription, and its confirmation. */
export function SubscriptionResults({
  review,
  isBusy,
  isStale,
  onImport,
}: {
  review: SubscriptionReview
  isBusy: boolean
  /** Another action may change the results. */
  isStale: boolean
  onImport(): void
}) {
  const [isAsking, setAsking] = useState(false)
  const { counts, imported, skipped, verdicts, hasMore } = review
  const total = counts.ready + counts.ending

  return (
    <Card title="Results">
      {hasMore && (
        <Banner tone="note">
          <p>
            The first {SUBSCRIPTION_IMPORT_MAX.toLocaleString('en-US')} subscriptions were read. Import these, then
            review again.
          </p>
        </Banner>
      )}
      <dl className="console-figures">
        <Figure label="Renew here" value={counts.ready} />
        <Figure label="End with their term" value={counts.ending} />
        <Figure label="Here already" value={counts.ours} />
        <Figure label="Left out" value={counts.leftOut} />
        <Figure label="Not possible" value={counts.wrong} />
      </dl>
      {total === 0 && <p>There is nothing to import.</p>}
      <div className="buttons">
        {total > 0 && (
          <Button busy={isBusy} busyLabel="Importing" disabled={isStale && !isBusy} onClick={() => setAsking(true)}>
            {`Import ${subscriptionsOf(total)}`}
          </Button>
        )}
        <Button
          variant="line"
          onClick={() => downloadFile(new Blob([verdicts], { type: 'text/csv' }), 'subscriptions.csv')}
        >
          Download results
        </Button>
      </div>
      <Rows title="Subscriptions that are not imported" rows={skipped} total={counts.wrong + counts.leftOut} isOpen />
      <Rows title="Subscriptions that are imported" rows={imported} total={total} isOpen={false} />
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Import ${subscriptionsOf(total)}?`}
        width="34rem"
      >
        <ul>
          <li>
            Each member gets an active membership at the level you chose, renewed at the old price on the old day.
          </li>
          <li>What was paid before appears as past payments. No receipt is emailed.</li>
          <li>Nothing is charged now, and nothing changes at Stripe.</li>
          <li>You can undo it for 30 days.</li>
        </ul>
        <div className="buttons">
          <Button
            onClick={() => {
              setAsking(false)
              onImport()
            }}
          >
            Import
          </Button>
          <Button variant="line" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </Card>
  )
}

function Rows({
  title,
  rows,
  total,
  isOpen,
}: {
  title: string
  rows: readonly SubscriptionRow[]
  total: number
  isOpen: boolean
}) {
  if (rows.length === 0) return null
  return (
    <details className="more-filters" open={isOpen}>
      <summary>{title}</summary>
      <ul>
        {rows.map(({ subscriptionId, email, name, price, amount, currency, sentence }) => (
          <li key={subscriptionId}>
            <span className="break">{[name, email || 'No email'].filter(Boolean).join(', ')}</span>
            {amount !== null && ` (${[price, formatMoney(amount, currency)].filter(Boolean).join(', ')})`}: {sentence}
          </li>
        ))}
      </ul>
      {total > rows.length && <p>The first {rows.length} are shown. The download has all.</p>}
    </details>
  )
}
