import { useSearchParams } from 'react-router'
import {
  getContentImport,
  hostOf,
  ITEM_VERDICTS,
  type ContentImportReport,
} from '#contract/console/website/content-import.ts'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { Link } from '#web/ui/link.tsx'
import { ContentImportRows } from './content-import-rows.tsx'
import { ContentImportRun } from './content-import-run.tsx'
import { ContentImportUndo } from './content-import-undo.tsx'

const POLL_MS = 2_000
const TITLES = { checked: 'Review import', running: 'Importing', done: 'Imported' }

/** The preview or result of an import, row by row, and its progress while it runs. */
export default function ContentImportPage({ id }: { id: string }) {
  const [search, setSearch] = useSearchParams()
  const verdict = ITEM_VERDICTS.find((one) => one === search.get('show'))
  const page = Math.max(1, Math.trunc(Number(search.get('page') ?? 1)) || 1)
  const query = { verdict, page: page > 1 ? String(page) : undefined }
  const found = useLoaded(getContentImport, { params: { id }, query }, ({ state, undoBegunAt, undoneAt }) =>
    state === 'running' || (undoBegunAt !== null && undoneAt === null) ? POLL_MS : false,
  )
  /** Actions return the first page of all rows. */
  const refresh = () => {
    if (verdict === undefined && page === 1) found.reload()
    else setSearch({}, { replace: true })
  }

  return (
    <ConsolePage
      title={found.value ? TITLES[found.value.state] : 'Import posts and pages'}
      crumb={<Link to="/console/content-imports">Import posts and pages</Link>}
      lead={found.value && [found.value.filename, hostOf(found.value.site)].filter(Boolean).join(', ')}
    >
      <WhenLoaded loaded={found} what="the file">
        {(report) => (
          <div className="stack">
            <ContentImportRun report={report} onChanged={refresh} />
            <ContentImportRows
              id={id}
              report={report}
              verdict={verdict}
              page={page}
              onPage={(next) => setSearch({ ...(verdict && { show: verdict }), page: String(next) })}
            />
            <LeftOut report={report} />
            <ContentImportUndo report={report} onChanged={refresh} />
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

/** What is not imported: parts of the file, and pictures that could not be fetched. */
function LeftOut({ report: { leftOut, pictures } }: { report: ContentImportReport }) {
  if (leftOut.length === 0 && pictures.failed.length === 0) return null
  return (
    <Panel title="Left out">
      {leftOut.length > 0 && (
        <ul>
          {leftOut.map(({ what, count }) => (
            <li key={what}>
              {what}: {count.toLocaleString('en-US')}
            </li>
          ))}
        </ul>
      )}
      {pictures.failed.length > 0 && (
        <details className="more-filters">
          <summary>
            {pictures.failed.length === 1 ? '1 picture' : `${pictures.failed.length.toLocaleString('en-US')} pictures`}{' '}
            could not be fetched
          </summary>
          <ul>
            {pictures.failed.map(({ url, reason }) => (
              <li key={url}>
                <code className="break">{url}</code> {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  )
}
