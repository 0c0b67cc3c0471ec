import { useRef, useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import type { DuesLevel } from '#contract/console-dues.ts'
import { writeDay } from '#contract/days.ts'
import { formatMoney, priceAmount, pricePeriod } from '#contract/money.ts'
import { Announcer } from '#web/ui/announcer.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Icon } from '#web/ui/icon.tsx'

const UP = 'm6 15 6-6 6 6'
const DOWN = 'm6 9 6 6 6-6'

/** The levels as they are shown on the site; each moves up and down by its buttons, and the focus goes with it. */
export function LevelTable({
  levels,
  onMove,
}: {
  levels: readonly DuesLevel[]
  /** null: they may only be looked at. */
  onMove: ((levels: DuesLevel[]) => void) | null
}) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [said, setSaid] = useState('')

  function move(from: number, to: number) {
    const next = [...levels]
    const [level] = next.splice(from, 1)
    if (!level) return
    next.splice(to, 0, level)
    onMove?.(next)
    setSaid(`${level.name} is number ${to + 1} of ${next.length}.`)
    // The button that moved it, or its neighbour where that one is off now.
    requestAnimationFrame(() => {
      const [up, down] = body.current?.children[to]?.querySelectorAll('button') ?? []
      const wanted = to < from ? up : down
      ;(wanted?.disabled ? (wanted === up ? down : up) : wanted)?.focus()
    })
  }

  return (
    <>
      <table className="console-table as-list">
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col">Price</th>
            <th scope="col">Members</th>
            {onMove && <th scope="col">Place</th>}
          </tr>
        </thead>
        <tbody ref={body}>
          {levels.map((level, index) => (
            <tr key={level.key}>
              <th scope="row">
                <Link to={`/console/dues/${encodeURIComponent(level.key)}`}>{level.name}</Link>{' '}
                {!level.isOnSale && <Badge tone="quiet">Not on sale</Badge>}
              </th>
              <td data-label="Price">
                <span>
                  {priceAmount(level)} {pricePeriod(level)}
                  {level.planned && (
                    <small className="soft">
                      <br />
                      {formatMoney(level.planned.amountAfter, level.currency)} from {writeDay(level.planned.startsOn)}
                    </small>
                  )}
                </span>
              </td>
              <td data-label="Members">
                <span>
                  {level.holders.toLocaleString('en-US')}
                  <OtherPrices level={level} />
                </span>
              </td>
              {onMove && (
                <td data-label="Place">
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
      <Announcer message={said} />
    </>
  )
}

/** Members who are charged another price than the level has now. */
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
