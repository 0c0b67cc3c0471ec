import { useState } from 'react'
import { getDues, type DuesLevel, type LevelWithChanges } from '#contract/console-dues.ts'
import { writeDay } from '#contract/days.ts'
import { formatMoney, priceAmount, pricePeriod } from '#contract/money.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { useLookAgain } from '#web/features/console/use-look-again.ts'
import { LevelForm } from '#web/features/dues/level-form.tsx'
import { PriceForm } from '#web/features/dues/price-form.tsx'
import { PriceHistory } from '#web/features/dues/price-history.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const LOOK_AGAIN_MS = 3_000

/** One level: its price with what another would mean, its words, and the prices it had. */
export default function DuesLevelPage({ id }: { id: string }) {
  const loaded = useLoaded(id, () => callAsOfficer(getDues, { params: { key: id } }))
  const action = useAction()
  // The form begins anew after what was saved here, not after what somebody else saved.
  const [savings, setSavings] = useState(0)
  const { value, reload } = loaded
  const isMoving = value?.changes.some(({ moves }) => moves.waiting > 0) ?? false
  useLookAgain(loaded, { isGoingOn: isMoving, everyMs: LOOK_AGAIN_MS })

  function take(found: LevelWithChanges, said: string) {
    loaded.setValue(found)
    setSavings((before) => before + 1)
    action.say(said)
  }

  return (
    <ConsolePage
      title={value?.level.name ?? 'A level'}
      action={
        <ButtonLink variant="line" to="/console/dues">
          All levels
        </ButtonLink>
      }
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={loaded} what="the level">
        {(found) => (
          <div className="member-sheets">
            <Sheet
              title="Now"
              aside={<Badge tone={found.level.isOnSale ? 'ok' : 'quiet'}>{saleOf(found.level)}</Badge>}
            >
              <KeyValueList items={factsOf(found.level)} />
            </Sheet>
            {found.mayChange && found.level.unitAmount > 0 && (
              <Sheet title="Another price">
                {found.level.planned ? (
                  <p>
                    {formatMoney(found.level.planned.amountAfter, found.level.currency)} is planned from{' '}
                    {writeDay(found.level.planned.startsOn)} on. Take it back below before you enter another.
                  </p>
                ) : (
                  <PriceForm key={found.level.version} level={found.level} onSaved={take} />
                )}
              </Sheet>
            )}
            {found.mayChange && (
              <Sheet title="Name, words and sale">
                <LevelForm
                  key={`saved ${savings}`}
                  level={found.level}
                  onSaved={(next) => take(next, 'Saved. The site shows it within a second.')}
                  reload={reload}
                />
              </Sheet>
            )}
            <Sheet title="Prices so far">
              <PriceHistory found={found} onChanged={loaded.setValue} reload={reload} />
            </Sheet>
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function saleOf({ isOnSale }: DuesLevel): string {
  return isOnSale ? 'On sale' : 'Not on sale'
}

function factsOf(level: DuesLevel) {
  const charged = level.charged.map(
    ({ amount, members }) => `${members.toLocaleString('en-US')} at ${formatMoney(amount, level.currency)}`,
  )
  return [
    { label: 'Price', value: `${priceAmount(level)} ${pricePeriod(level)}` },
    { label: 'Members', value: level.holders.toLocaleString('en-US') },
    ...(charged.length > 0 ? [{ label: 'Renewing by card', value: charged.join(', ') }] : []),
  ]
}
