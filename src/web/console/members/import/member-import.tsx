import { Link } from '#web/ui/link.tsx'
import { getImport, type ImportReport } from '#contract/console/import.ts'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { ImportUndo } from './import-undo.tsx'
import { ImportRun } from './import-run.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportLevels } from './import-levels.tsx'
import { ChangedRows, WrongRows } from './import-rows.tsx'

const POLL_MS = 2_000

/** The preview or result of an import, row by row, and its progress while it runs. */
export default function MemberImportPage({ id }: { id: string }) {
  const found = useLoaded(getImport, { params: { id } }, ({ state, undoBegunAt, undoneAt }) =>
    state === 'running' || (undoBegunAt && !undoneAt) ? POLL_MS : false,
  )

  return (
    <ConsolePage
      title={found.value ? TITLES[found.value.state] : 'Import members'}
      crumb={<Link to="/console/member-imports">Import</Link>}
      lead={
        found.value &&
        `${found.value.filename}, ${rowsText(found.value.counts.rows)}. No one is emailed unless you choose it.`
      }
    >
      <WhenLoaded loaded={found} what="the file">
        {(report) => (
          <div className="stack">
            {report.missing.length > 0 && <ImportColumns report={report} onChanged={found.setValue} />}
            {needsLevels(report) && <ImportLevels report={report} onChanged={found.setValue} />}
            <ImportRun report={report} onChanged={found.setValue} />
            {report.missing.length === 0 && <WrongRows report={report} onChanged={found.setValue} />}
            <ChangedRows report={report} />
            {!needsLevels(report) && <ImportLevels report={report} onChanged={found.setValue} />}
            {report.missing.length === 0 && <ImportColumns report={report} onChanged={found.setValue} />}
            <ImportUndo report={report} onChanged={found.setValue} />
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

const TITLES = { checked: 'Review import', running: 'Importing', done: 'Imported' }

/** Whether a name in the file has no level yet. */
function needsLevels({ state, levelNames }: ImportReport): boolean {
  return state === 'checked' && levelNames.some(({ choice }) => choice === 'none')
}

function rowsText(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`
}
