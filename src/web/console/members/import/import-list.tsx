import { useNavigate } from 'react-router'
import { Link } from '#web/ui/link.tsx'
import { listImports, type ImportLine } from '#contract/console/import.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { ImportFileForm } from './import-file-form.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'

const STATES = {
  checked: ['quiet', 'Reviewed, not imported'],
  running: ['warn', 'Importing'],
  done: ['ok', 'Imported'],
  undone: ['quiet', 'Undone'],
} as const

/** Starts a member import, and lists recent ones. */
export default function MemberImportsPage() {
  const found = useLoaded(listImports)
  const navigate = useNavigate()
  return (
    <ConsolePage title="Import members" lead={<Link to="/console/members">All members</Link>}>
      <Card title="Choose a file">
        <ImportFileForm onChecked={({ id }) => void navigate(`/console/member-imports/${id}`)} />
      </Card>
      <WhenLoaded loaded={found} what="recent imports">
        {({ imports }) => (
          <Card title="Recent imports">
            {imports.length === 0 && <p>None in the last 30 days.</p>}
            <ul className="records">
              {imports.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </ul>
          </Card>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Line({ line: { id, filename, state, by, createdAt, undoneAt, counts } }: { line: ImportLine }) {
  const [tone, label] = undoneAt ? STATES.undone : STATES[state]
  return (
    <li>
      <div>
        <p>
          <Link to={`/console/member-imports/${id}`}>{filename}</Link> <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="small soft">
          {formatMoment(createdAt)} · {by} · {counts.rows.toLocaleString('en-US')} rows,{' '}
          {counts.new.toLocaleString('en-US')} new, {counts.changed.toLocaleString('en-US')} changed,{' '}
          {counts.wrong.toLocaleString('en-US')} with errors
        </p>
      </div>
    </li>
  )
}
