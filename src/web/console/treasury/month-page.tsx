import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { dayOf } from '#contract/dates/dates.ts'
import { MONTHS } from '#contract/dates/days.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import { downloadFile } from '#web/shared/download-file.ts'
import { useAction } from '../shell/use-action.ts'
import type { CallOptions } from '../shell/call-as-officer.ts'
import { useLoaded, type Loaded } from '../shell/use-loaded.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

export interface SelectedMonth {
  /** `YYYY-MM`. */
  month: string
  /** 'November 2026'. */
  name: string
  open(month: string): void
}

/** The month in the URL, or the current month in the association's time zone. */
export function useMonth(): SelectedMonth {
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

/** Like `useLoaded`, but never shows one month's figures under another month's name. */
export function useMonthData<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Loaded<ReplyOf<E>> {
  const loaded = useLoaded(endpoint, options)
  return loaded.isStale ? { ...loaded, value: null } : loaded
}

/** A page for one month with previous and next links, a link to the same month on the other page, and an export. */
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
  shown: SelectedMonth
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
            busyLabel="Exporting"
            onClick={() =>
              void action.run('export', async () =>
                downloadFile(await makeFile(), `${title.toLowerCase()}-${month}.csv`),
              )
            }
          >
            Export
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

function MonthBar({ month, name, open }: SelectedMonth) {
  return (
    <nav className="pager" aria-label="Months">
      <h2>{name}</h2>
      <Button variant="line" size="small" onClick={() => open(addMonths(month, -1))}>
        Previous
      </Button>
      <Button variant="line" size="small" onClick={() => open(addMonths(month, 1))}>
        Next
      </Button>
    </nav>
  )
}

function addMonths(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}
