import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { dayOf } from '#contract/dates.ts'
import { MONTHS } from '#contract/days.ts'
import { ActionMessages } from './action-messages.tsx'
import { ConsolePage } from './console-page.tsx'
import { saveFile } from './save-file.ts'
import { useAction } from './use-action.ts'
import { useLoaded, type Loaded } from './use-loaded.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

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

/** What a month's page shows: never the figures of one month under the name of another. */
export function useLoadedMonth<T>(month: string, load: () => Promise<T>): Loaded<T> {
  const loaded = useLoaded(month, load)
  return loaded.isOther ? { ...loaded, value: null } : loaded
}

/** A page of the treasurer's books: a month, the way to those beside it and to the same month on the other page, and a file of it. */
export function MonthPage({
  title,
  lead,
  shown,
  other,
  makeFile,
  children,
}: {
  title: string
  lead: string
  shown: ShownMonth
  other: { label: string; path: string }
  makeFile(): Promise<Blob>
  children: ReactNode
}) {
  const action = useAction()
  const { month } = shown
  return (
    <ConsolePage
      title={title}
      lead={lead}
      action={
        <div className="buttons">
          <ButtonLink variant="line" to={`${other.path}?month=${month}`}>
            {other.label}
          </ButtonLink>
          <Button
            variant="line"
            busy={action.busy !== null}
            busyLabel="Making the file"
            onClick={() =>
              void action.run('export', async () => saveFile(await makeFile(), `${title.toLowerCase()}-${month}.csv`))
            }
          >
            Save as CSV
          </Button>
        </div>
      }
    >
      <ActionMessages action={action} />
      <MonthBar {...shown} />
      {children}
    </ConsolePage>
  )
}

/** Which month is shown, and the way to those beside it. */
function MonthBar({ month, name, open }: ShownMonth) {
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
