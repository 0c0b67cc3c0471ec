import { withdrawPrice, type LevelWithChanges, type PriceChange } from '#contract/console/dues.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { formatMoney } from '#contract/money.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'

/** Past and scheduled prices, newest first, with the progress of moving members to each. */
export function PriceHistory({
  found: { level, changes, mayChange },
  onChanged,
}: {
  found: LevelWithChanges
  onChanged(found: LevelWithChanges): void
}) {
  const action = useAction()
  if (changes.length === 0) return <p className="soft">No price changes yet.</p>
  const withdraw = (change: string) =>
    action.run(
      'withdraw',
      async () => onChanged(await saveAsOfficer(withdrawPrice, { params: { key: level.key, change }, body: {} })),
      'The scheduled price was canceled.',
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
              {change.state === 'planned' && <Badge>Scheduled</Badge>}
              {change.state === 'withdrawn' && <Badge tone="quiet">Canceled</Badge>}
              <br />
              From {formatDay(change.startsOn)}, {change.scope === 'everybody' ? 'for everyone' : 'for new members'}
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
                busyLabel="Canceling"
                onClick={() => void withdraw(change.id)}
              >
                Cancel
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
      <progress value={moved} max={all} aria-label="Subscriptions moved" /> {moved} of {all} subscriptions moved. You
      can leave this page.
    </p>
  )
}
