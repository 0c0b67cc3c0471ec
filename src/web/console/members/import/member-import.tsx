import { Link } from '#web/ui/link.tsx'
import { getImport } from '#contract/console-import.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { useLookAgain } from '#web/features/console/use-look-again.ts'
import { ImportUndo } from '#web/features/members/import-undo.tsx'
import { ImportRun } from '#web/features/members/import-run.tsx'
import { ChangedRows, ImportColumns, WrongRows } from '#web/features/members/import-rows.tsx'

const LOOK_AGAIN_MS = 2_000

/** What a file would do or did, row by row; while it is imported, how far it is. */
export default function MemberImportPage({ id }: { id: string }) {
  const found = useLoaded(id, () => callAsOfficer(getImport, { params: { id } }))
  const { state, undoBegunAt, undoneAt } = found.value ?? {}
  const isUndoing = Boolean(undoBegunAt) && !undoneAt
  useLookAgain(found, { isGoingOn: state === 'running' || isUndoing, everyMs: LOOK_AGAIN_MS })

  return (
    <ConsolePage
      title={found.value?.filename ?? 'Import members'}
      lead={<Link to="/console/member-imports">Another file</Link>}
    >
      <WhenLoaded loaded={found} what="the file">
        {(report) => (
          <div className="member-sheets">
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
