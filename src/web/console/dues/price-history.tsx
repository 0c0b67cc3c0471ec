import { withdrawPrice, type LevelWithChanges, type PriceChange } from '#contract/console-dues.ts'
import { formatLongDate } from '#contract/dates.ts'
import { writeDay } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'

/** Earlier and planned prices of a level, the latest first, with how far members have come to each. */
export function PriceHistory({
  found: { level, changes, mayChange },
  onChanged,
  reload,
}: {
  found: LevelWithChanges
  onChanged(found: LevelWithChanges): void
  reload(): void
}) {
  const action = useAction()
  if (changes.length === 0) return <p className="soft">The price was never changed here.</p>
  const withdraw = (change: string) =>
    action.run(
      'withdraw',
      async () =>
        onChanged(
          await heedOthers(reload, () =>
            callAsOfficer(withdrawPrice, { params: { key: level.key, change }, body: {} }),
          ),
        ),
      'The planned price is taken back.',
    )
  return (
    <>
      <ActionMessages action={action} />
      <ul className="records">
        {changes.map((change) => (
          <li key={change.id}>
            <div>
              <strong>
                {formatMoney(change.amountBefore, level.currency)} to {formatMoney(change.amountAfter, level.currency)}
              </strong>{' '}
              {change.state === 'planned' && <Badge>Planned</Badge>}
              {change.state === 'withdrawn' && <Badge tone="quiet">Taken back</Badge>}
              <br />
              From {writeDay(change.startsOn)}, {change.scope === 'everybody' ? 'for everybody' : 'for whoever joins'}
              <p className="small soft">
                {change.askedBy}, {formatLongDate(change.askedAt)}
              </p>
              <Moves change={change} />
            </div>
            {change.state === 'planned' && mayChange && (
              <Button
                variant="line"
                size="small"
                busy={action.busy !== null}
                busyLabel="Taking it back"
                onClick={() => void withdraw(change.id)}
              >
                Take it back
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function Moves({ change: { moves, scope } }: { change: PriceChange }) {
  const { waiting, moved } = moves
  const all = waiting + moved
  if (scope === 'joining' || all === 0) return null
  if (waiting === 0)
    return <p className="small">{all === 1 ? 'One subscription was' : `${all} subscriptions were`} moved.</p>
  return (
    <p className="small">
      <progress value={moved} max={all} aria-label="Subscriptions moved" /> {moved} of {all} subscriptions moved. It
      goes on by itself, also when you leave this page.
    </p>
  )
}
