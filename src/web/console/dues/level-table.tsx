import { useRef, useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import type { DuesLevel } from '#contract/console/dues.ts'
import { formatDay } from '#contract/dates/days.ts'
import { formatMoney, priceAmount, pricePeriod } from '#contract/money.ts'
import { Announcer } from '#web/ui/announcer.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Icon } from '#web/ui/icon.tsx'

const UP = 'm6 15 6-6 6 6'
const DOWN = 'm6 9 6 6 6-6'

/** The levels in site order. Buttons move a level up or down, and focus follows it. */
export function LevelTable({
  levels,
  onMove,
}: {
  levels: readonly DuesLevel[]
  /** null when the order is read-only. */
  onMove: ((levels: DuesLevel[]) => void) | null
}) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [announcement, setAnnouncement] = useState('')

  function move(from: number, to: number) {
    const next = [...levels]
    const [level] = next.splice(from, 1)
    if (!level) return
    next.splice(to, 0, level)
    onMove?.(next)
    setAnnouncement(`${level.name} is number ${to + 1} of ${next.length}.`)
    // Focus the button that moved it, or the other one when that is disabled now.
    requestAnimationFrame(() => {
      const [up, down] = body.current?.children[to]?.querySelectorAll('button') ?? []
      const wanted = to < from ? up : down
      ;(wanted?.disabled ? (wanted === up ? down : up) : wanted)?.focus()
    })
  }

  return (
    <>
      <table className="data-table level-table">
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col">Price</th>
            <th scope="col" className="priority-2">
              Members
            </th>
            {onMove && (
              <th scope="col" className="acts">
                Order
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body}>
          {levels.map((level, index) => (
            <tr key={level.key}>
              <th scope="row" className="name">
                <Link to={`/console/dues/${encodeURIComponent(level.key)}`}>{level.name}</Link>{' '}
                {!level.isOnSale && <Badge tone="quiet">Not available</Badge>}
              </th>
              <td className="stays">
                <span>
                  {priceAmount(level)} {pricePeriod(level)}
                  {level.planned && (
                    <small className="soft">
                      <br />
                      {formatMoney(level.planned.amountAfter, level.currency)} from {formatDay(level.planned.startsOn)}
                    </small>
                  )}
                </span>
              </td>
              <td className="priority-2">
                <span>
                  {level.holders.toLocaleString('en-US')}
                  <OtherPrices level={level} />
                </span>
              </td>
              {onMove && (
                <td className="acts">
                  <span className="run-buttons">
                    <MoveButton
                      label={`Move ${level.name} up`}
                      d={UP}
                      disabled={index === 0}
                      onClick={() => move(index, index - 1)}
                    />
                    <MoveButton
                      label={`Move ${level.name} down`}
                      d={DOWN}
                      disabled={index === levels.length - 1}
                      onClick={() => move(index, index + 1)}
                    />
                  </span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <Announcer message={announcement} />
    </>
  )
}

/** Members who pay a different price than the current one. */
function OtherPrices({ level }: { level: DuesLevel }) {
  const others = level.charged.filter(({ amount }) => amount !== level.unitAmount)
  if (others.length === 0) return null
  return (
    <small className="soft">
      <br />
      {others
        .map(({ amount, members }) => `${members.toLocaleString('en-US')} at ${formatMoney(amount, level.currency)}`)
        .join(', ')}
    </small>
  )
}

function MoveButton({ label, d, disabled, onClick }: { label: string; d: string; disabled: boolean; onClick(): void }) {
  return (
    <button type="button" className="icon" aria-label={label} disabled={disabled} onClick={onClick}>
      <Icon d={d} />
    </button>
  )
}
