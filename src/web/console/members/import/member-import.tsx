import { Link } from '#web/ui/link.tsx'
import { getImport } from '#contract/console/import.ts'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { ImportUndo } from './import-undo.tsx'
import { ImportRun } from './import-run.tsx'
import { ChangedRows, ImportColumns, WrongRows } from './import-rows.tsx'

const POLL_MS = 2_000

/** The preview or result of an import, row by row, and its progress while it runs. */
export default function MemberImportPage({ id }: { id: string }) {
  const found = useLoaded(getImport, { params: { id } }, ({ state, undoBegunAt, undoneAt }) =>
    state === 'running' || (undoBegunAt && !undoneAt) ? POLL_MS : false,
  )

  return (
    <ConsolePage
      title={found.value?.filename ?? 'Import members'}
      lead={<Link to="/console/member-imports">All imports</Link>}
    >
      <WhenLoaded loaded={found} what="the file">
        {(report) => (
          <div className="member-cards">
            <ImportRun report={report} onChanged={found.setValue} />
            <WrongRows report={report} />
            <ChangedRows report={report} />
            <ImportColumns report={report} />
            <ImportUndo report={report} onChanged={found.setValue} />
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}
