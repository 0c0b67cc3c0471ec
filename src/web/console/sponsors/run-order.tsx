import { useRef, useState } from 'react'
import { runOfShowTimes, type RunItem } from '#contract/console/sponsors.ts'
import { Announcer } from '#web/ui/announcer.tsx'
import { Icon } from '#web/ui/icon.tsx'

const UP = 'm6 15 6-6 6 6'
const DOWN = 'm6 9 6 6 6-6'
const CROSS = 'M18 6 6 18M6 6l12 12'

/** The items with their times. Buttons move an item up or down, and focus follows it. */
export function RunOrder({
  items,
  startsAt,
  onChange,
}: {
  items: readonly RunItem[]
  startsAt: string
  /** null when the order is read-only. */
  onChange: ((items: RunItem[]) => void) | null
}) {
  const list = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const { begins } = runOfShowTimes(startsAt, items)

  function move(from: number, to: number) {
    const next = [...items]
    const [item] = next.splice(from, 1)
    if (!item) return
    next.splice(to, 0, item)
    onChange?.(next)
    setAnnouncement(`${item.title} is number ${to + 1} of ${next.length}.`)
    // Focus the button that moved it, or the other one when that is disabled now.
    requestAnimationFrame(() => {
      const [up, down] = list.current?.children[to]?.querySelectorAll('button') ?? []
      const wanted = to < from ? up : down
      ;(wanted?.disabled ? (wanted === up ? down : up) : wanted)?.focus()
    })
  }

  function remove(index: number) {
    setAnnouncement(`${items[index]?.title ?? 'It'} was removed.`)
    onChange?.(items.filter((_, other) => other !== index))
  }

  if (items.length === 0) return <p className="soft">No items on this day yet.</p>
  return (
    <>
      <ol className="run" ref={list}>
        {items.map((item, index) => (
          <li key={item.sponsorshipId ?? `${item.title} ${items.indexOf(item)}`}>
            <span className="run-time">{begins[index]}</span>
            <span className="break">
              {item.title}
              <small className="soft"> {item.minutes} min</small>
            </span>
            {onChange && (
              <span className="run-buttons no-print">
                <MoveButton
                  label={`Move ${item.title} up`}
                  d={UP}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                />
                <MoveButton
                  label={`Move ${item.title} down`}
                  d={DOWN}
                  disabled={index === items.length - 1}
                  onClick={() => move(index, index + 1)}
                />
                <MoveButton label={`Remove ${item.title}`} d={CROSS} onClick={() => remove(index)} />
              </span>
            )}
          </li>
        ))}
      </ol>
      <Announcer message={announcement} />
    </>
  )
}

function MoveButton({
  label,
  d,
  disabled,
  onClick,
}: {
  label: string
  d: string
  disabled?: boolean
  onClick(): void
}) {
  return (
    <button type="button" className="icon" aria-label={label} disabled={disabled} onClick={onClick}>
      <Icon d={d} />
    </button>
  )
}
