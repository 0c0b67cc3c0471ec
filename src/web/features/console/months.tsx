import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { dayOf } from '#contract/dates.ts'
import { MONTHS } from '#contract/days.ts'
import { Button } from '#web/ui/button.tsx'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

export interface ShownMonth {
  /** `YYYY-MM`. */
  month: string
  /** 'November 2026'. */
  name: string
  open(month: string): void
}

/** The month of the address, else this one on the association's calendar. */
export function useMonth(): ShownMonth {
  const [params, setParams] = useSearchParams()
  const [thisMonth] = useState(() => dayOf(Date.now(), 'America/New_York').slice(0, 7))
  const asked = params.get('month') ?? ''
  const month = MONTH.test(asked) ? asked : thisMonth
  const [year, number] = month.split('-').map(Number)
  return {
    month,
    name: `${MONTHS[(number ?? 1) - 1]} ${year}`,
    open: (next) => setParams({ month: next }, { replace: true, preventScrollReset: true }),
  }
}

/** Which month is shown, and the way to those beside it. */
export function MonthBar({ month, name, open }: ShownMonth) {
  return (
    <nav className="pager" aria-label="Months">
      <h2>{name}</h2>
      <Button variant="line" size="small" onClick={() => open(moved(month, -1))}>
        Earlier
      </Button>
      <Button variant="line" size="small" onClick={() => open(moved(month, 1))}>
        Later
      </Button>
    </nav>
  )
}

function moved(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}
