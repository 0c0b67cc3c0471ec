import { useNavigate } from 'react-router'
import { Link } from '#web/ui/link.tsx'
import { listImports, type ImportLine } from '#contract/console-import.ts'
import { formatMoment } from '#contract/dates.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { ImportFileForm } from '#web/features/members/import-file-form.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const STATES = {
  checked: ['quiet', 'Looked at, nothing imported'],
  running: ['warn', 'Being imported'],
  done: ['ok', 'Imported'],
  undone: ['quiet', 'Taken back'],
} as const

/** Where a list of members comes in: a file is chosen, and what was chosen lately. */
export default function MemberImportsPage() {
  const found = useLoaded('imports', () => callAsOfficer(listImports))
  const navigate = useNavigate()
  return (
    <ConsolePage title="Import members" lead={<Link to="/console/members">All members</Link>}>
      <Sheet title="Choose a file">
        <ImportFileForm onChecked={({ id }) => void navigate(`/console/member-imports/${id}`)} />
      </Sheet>
      <WhenLoaded loaded={found} what="the files of the last weeks">
        {({ imports }) => (
          <Sheet title="The last files">
            {imports.length === 0 && <p>None in the last 30 days.</p>}
            <ul className="records">
              {imports.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </ul>
          </Sheet>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Line({ line: { id, filename, state, by, createdAt, undoneAt, counts } }: { line: ImportLine }) {
  const [tone, word] = undoneAt ? STATES.undone : STATES[state]
  return (
    <li>
      <div>
        <p>
          <Link to={`/console/member-imports/${id}`}>{filename}</Link> <Badge tone={tone}>{word}</Badge>
        </p>
        <p className="small soft">
          {formatMoment(createdAt)} · {by} · {counts.rows.toLocaleString('en-US')} rows,{' '}
          {counts.new.toLocaleString('en-US')} new, {counts.changed.toLocaleString('en-US')} changed,{' '}
          {counts.wrong.toLocaleString('en-US')} wrong
        </p>
      </div>
    </li>
  )
}
