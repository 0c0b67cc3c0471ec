import type { EarlierPrice, SubscriptionReview } from '#contract/console/money/subscription-imports.ts'
import { formatMoney } from '#contract/money.ts'
import { Card } from '#web/ui/card.tsx'
import { everyMonths } from './subscription-format.ts'

const LEFT_OUT = 'left out'

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
      <table className="data-table unfolded import-mapping">
        <caption className="visually-hidden">Prices of the earlier system</caption>
        <thead>
          <tr>
            <th scope="col">Earlier price</th>
            <th scope="col">Amount</th>
            <th scope="col">Subscriptions</th>
            <th scope="col">Level here</th>
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => (
            <tr key={price.key}>
              <th scope="row">{price.name || '(no name)'}</th>
              <td data-label="Amount">{amountOf(price)}</td>
              <td data-label="Subscriptions">{price.subscriptions.toLocaleString('en-US')}</td>
              <td>
                <select
                  className="input"
                  aria-label={`Level of ${price.name || '(no name)'}, ${amountOf(price)}`}
                  disabled={busy !== null}
                  value={price.choice === 'left-out' ? LEFT_OUT : (price.levelKey ?? '')}
                  onChange={({ target }) => onChoose(price, target.value === LEFT_OUT ? null : target.value)}
                >
                  {price.choice === 'none' && (
                    <option value="" disabled>
                      Choose
                    </option>
                  )}
                  {levels.map(({ key, name, amount, currency, months }) => (
                    <option key={key} value={key}>
                      {`${name} (${formatMoney(amount, currency)} ${everyMonths(months)})`}
                    </option>
                  ))}
                  <option value={LEFT_OUT}>Leave out</option>
                </select>
                {price.choice === 'suggested' && <p className="small soft">Suggested</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function amountOf({ amount, currency, months }: EarlierPrice): string {
  return amount === null ? 'No fixed amount' : `${formatMoney(amount, currency)} ${everyMonths(months)}`
}
