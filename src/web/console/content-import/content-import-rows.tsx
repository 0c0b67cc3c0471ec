import {
  ITEMS_PER_PAGE,
  type ContentImportReport,
  type ImportKind,
  type ItemResult,
  type ItemVerdict,
} from '#contract/console/website/content-import.ts'
import { isDay } from '#contract/dates/calendar-day.ts'
import { formatDay } from '#contract/dates/days.ts'
import { Pager } from '#web/console/shell/pager.tsx'
import { PageTabs } from '#web/console/ui/page-tabs.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'

const KINDS: Record<ImportKind, string> = { news: 'News item', page: 'Page', event: 'Event' }
const VERDICTS: Record<ItemVerdict, { tab: string; badge: string; tone: 'ok' | 'quiet' | 'warn' }> = {
  new: { tab: 'Were published', badge: 'Import', tone: 'ok' },
  draft: { tab: 'Were drafts', badge: 'Was a draft', tone: 'quiet' },
  known: { tab: 'Imported before', badge: 'Skip', tone: 'quiet' },
  wrong: { tab: 'Cannot be imported', badge: 'Skip', tone: 'warn' },
}
const RESULTS: Record<ItemResult, { badge: string; tone: 'ok' | 'quiet' | 'warn' }> = {
  draft: { badge: 'Draft', tone: 'quiet' },
  published: { badge: 'Published', tone: 'ok' },
  failed: { badge: 'Not imported', tone: 'warn' },
  removed: { badge: 'Removed', tone: 'quiet' },
}

/** What becomes of each row, with what is left out of it. */
export function ContentImportRows({
  id,
  report,
  verdict,
  page,
  onPage,
}: {
  id: string
  report: ContentImportReport
  verdict: ItemVerdict | undefined
  page: number
  onPage(page: number): void
}) {
  const { counts, rows, total } = report
  const here = `/console/content-imports/${id}`
  const shown = (Object.keys(VERDICTS) as ItemVerdict[]).filter((one) => counts[one] > 0)
  return (
    <Panel title="Row by row">
      {shown.length > 1 && (
        <PageTabs
          label="Rows"
          tabs={[
            { label: 'All', to: here, isCurrent: verdict === undefined },
            ...shown.map((one) => ({
              label: VERDICTS[one].tab,
              to: `${here}?show=${one}`,
              isCurrent: verdict === one,
              count: counts[one],
            })),
          ]}
        />
      )}
      <table className="console-table as-list">
        <thead>
          <tr>
            <th scope="col">Title</th>
            <th scope="col">Kind</th>
            <th scope="col">Date</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.line}>
              <th scope="row">
                {row.path ? <Link to={row.path}>{row.title}</Link> : row.title}
                {/^https?:/.test(row.address) && (
                  <span className="import-email soft break">{shortAddress(row.address)}</span>
                )}
              </th>
              <td data-label="Kind">{KINDS[row.kind]}</td>
              <td data-label="Date">{isDay(row.date) ? formatDay(row.date) : row.date || 'None'}</td>
              <td data-label="Result">
                <div>
                  <Badge tone={(row.result ? RESULTS[row.result] : VERDICTS[row.verdict]).tone}>
                    {(row.result ? RESULTS[row.result] : VERDICTS[row.verdict]).badge}
                  </Badge>
                  {row.notes.map((note) => (
                    <p key={note} className="small soft">
                      {note}
                    </p>
                  ))}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager page={page} hasMore={page * ITEMS_PER_PAGE < total} onPage={onPage} />
    </Panel>
  )
}

function shortAddress(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}
