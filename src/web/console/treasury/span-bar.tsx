import { useSearchParams } from 'react-router'
import { addMonths, monthSpan, type Span } from './span.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { ICONS } from '../ui/console-icons.ts'

interface SpanBarProps {
  span: Span & { thisMonth: string }
  /** Whether other spans than a month can be shown. */
  hasDays?: boolean
}

/** Which month is shown and the way to others; or first and last day. Kept in the address. */
export function SpanBar({ span, hasDays = false }: SpanBarProps) {
  const [, setParams] = useSearchParams()
  const open = (wanted: Record<string, string>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const name of ['month', 'from', 'to', 'page']) next.delete(name)
        for (const [name, value] of Object.entries(wanted)) next.set(name, value)
        return next
      },
      { preventScrollReset: true },
    )
  const { month, from, to, thisMonth } = span
  if (month === null) {
    const change = (days: { from?: string; to?: string }) => open({ from, to, ...days })
    return (
      <div className="span-bar">
        <label>
          From{' '}
          <input
            className="input"
            type="date"
            value={from}
            max={to}
            onChange={({ target }) => target.value && change({ from: target.value })}
          />
        </label>
        <label>
          To{' '}
          <input
            className="input"
            type="date"
            value={to}
            min={from}
            onChange={({ target }) => target.value && change({ to: target.value })}
          />
        </label>
        <Button variant="line" size="small" onClick={() => open({ month: to.slice(0, 7) })}>
          By month
        </Button>
      </div>
    )
  }
  const [before, after] = [addMonths(month, -1), addMonths(month, 1)]
  return (
    <nav className="span-bar" aria-label="Months">
      <div className="segments">
        <button
          type="button"
          className="button line small"
          aria-label={`Previous: ${monthSpan(before).name}`}
          onClick={() => open({ month: before })}
        >
          <Icon d={ICONS.left} />
        </button>
        <h2 className="span-name">{span.name}</h2>
        <button
          type="button"
          className="button line small"
          aria-label={`Next: ${monthSpan(after).name}`}
          disabled={after > thisMonth}
          onClick={() => open({ month: after })}
        >
          <Icon d={ICONS.right} />
        </button>
      </div>
      {hasDays && (
        <Button variant="line" size="small" onClick={() => open({ from, to })}>
          Other dates
        </Button>
      )}
    </nav>
  )
}
