import type { EarlierPrice, SubscriptionReview } from '#contract/console/money/subscription-imports.ts'
import { formatMoney } from '#contract/money.ts'
import { EarlierLevelTable } from '#web/console/ui/earlier-level-table.tsx'
import { Card } from '#web/ui/card.tsx'
import { everyMonths } from './subscription-format.ts'

/** Which level each earlier price is. Each choice is stored, and reviewed at once. */
export function EarlierLevels({
  review: { prices, levels },
  busy,
  onChoose,
}: {
  review: SubscriptionReview
  /** The price whose choice is being reviewed, or another action. */
  busy: string | null
  onChoose(price: EarlierPrice, levelKey: string | null): void
}) {
  if (prices.length === 0) return null
  return (
    <Card title="Levels">
      <p>
        A level must last as long as the price is charged for. Levels that were suggested by their name or amount are
        marked: check them. A price that is no membership, such as a monthly gift, is left out.
      </p>
      <EarlierLevelTable
        caption="Prices of the earlier system"
        rows={prices}
        nameHeading="Earlier price"
        nameOf={nameOf}
        columns={[
          { heading: 'Amount', textOf: amountOf },
          { heading: 'Subscriptions', textOf: ({ subscriptions }) => subscriptions.toLocaleString('en-US') },
        ]}
        choiceLabel={(price) => `Level of ${nameOf(price)}, ${amountOf(price)}`}
        levels={levels.map(({ key, name, amount, currency, months }) => ({
          key,
          label: `${name} (${formatMoney(amount, currency)} ${everyMonths(months)})`,
        }))}
        isDisabled={busy !== null}
        onChoose={onChoose}
      />
    </Card>
  )
}

function nameOf({ name }: EarlierPrice): string {
  return name || '(no name)'
}

function amountOf({ amount, currency, months }: EarlierPrice): string {
  return amount === null ? 'No fixed amount' : `${formatMoney(amount, currency)} ${everyMonths(months)}`
}
