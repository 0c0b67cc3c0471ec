import { getDues, type DuesLevel, type LevelWithChanges } from '#contract/console/dues.ts'
import { formatDay } from '#contract/dates/days.ts'
import { formatMoney, priceAmount, pricePeriod } from '#contract/money.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { LevelForm } from './level-form.tsx'
import { PriceForm } from './price-form.tsx'
import { PriceHistory } from './price-history.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Panel, WithRail } from '../ui/panel.tsx'

const POLL_MS = 3_000

/** One level: its price, a preview of a new price, its details and its price history. */
export default function DuesLevelPage({ id }: { id: string }) {
  const loaded = useLoaded(
    getDues,
    { params: { key: id } },
    ({ changes }) => changes.some(({ moves }) => moves.waiting > 0) && POLL_MS,
  )
  const action = useAction()
  const { value } = loaded

  function update(found: LevelWithChanges, message: string) {
    loaded.setValue(found)
    action.showDone(message)
  }

  return (
    <ConsolePage
      title={value?.level.name ?? 'Level'}
      action={
        <ButtonLink variant="line" to="/console/dues">
          All levels
        </ButtonLink>
      }
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={loaded} what="the level">
        {(found) => (
          <WithRail
            rail={
              <>
                <Panel
                  title="Now"
                  action={<Badge tone={found.level.isOnSale ? 'ok' : 'quiet'}>{saleOf(found.level)}</Badge>}
                >
                  <KeyValueList items={detailsOf(found.level)} />
                </Panel>
                <Panel title="On the page">
                  <p className="small soft">
                    Whom the level is for, its benefits and its illustration are part of the page “Become a member”.
                  </p>
                  <ButtonLink variant="line" size="small" to="/console/content/join-page/all">
                    Edit the page
                  </ButtonLink>
                </Panel>
              </>
            }
          >
            {found.mayChange && found.level.unitAmount > 0 && (
              <Panel title="New price">
                {found.level.planned ? (
                  <p>
                    {formatMoney(found.level.planned.amountAfter, found.level.currency)} is planned from{' '}
                    {formatDay(found.level.planned.startsOn)} on. Cancel it below before you enter another.
                  </p>
                ) : (
                  <PriceForm key={found.level.version} level={found.level} onSaved={update} />
                )}
              </Panel>
            )}
            {found.mayChange && (
              <Panel title="Details">
                <LevelForm level={found.level} onSaved={(next) => update(next, 'Saved. The change is live.')} />
              </Panel>
            )}
            <Panel title="Price history">
              <PriceHistory found={found} onChanged={loaded.setValue} />
            </Panel>
          </WithRail>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function saleOf({ isOnSale }: DuesLevel): string {
  return isOnSale ? 'Available' : 'Not available'
}

function detailsOf(level: DuesLevel) {
  const charged = level.charged.map(
    ({ amount, members }) => `${members.toLocaleString('en-US')} at ${formatMoney(amount, level.currency)}`,
  )
  return [
    { label: 'Price', value: `${priceAmount(level)} ${pricePeriod(level)}` },
    { label: 'Members', value: level.holders.toLocaleString('en-US') },
    ...(charged.length > 0 ? [{ label: 'Auto-renew', value: charged.join(', ') }] : []),
  ]
}
