import { useNavigate } from 'react-router'
import { hostOf, listContentImports, type ContentImportLine } from '#contract/console/website/content-import.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { Link } from '#web/ui/link.tsx'
import { ExportFileForm } from './export-file-form.tsx'

const STATES = {
  checked: ['quiet', 'Reviewed, not imported'],
  running: ['warn', 'Importing'],
  done: ['ok', 'Imported'],
  undone: ['quiet', 'Undone'],
} as const

/** Starts an import of posts, pages and events, and lists recent ones. */
export default function ContentImportsPage() {
  const found = useLoaded(listContentImports)
  const navigate = useNavigate()
  return (
    <ConsolePage title="Import posts and pages" lead={<Link to="/console/content">Pages & content</Link>}>
      <Card title="Choose a file">
        <ExportFileForm onChecked={({ id }) => void navigate(`/console/content-imports/${id}`)} />
      </Card>
      <WhenLoaded loaded={found} what="recent imports">
        {({ imports }) => (
          <Card title="Recent imports">
            {imports.length === 0 && <p>None yet.</p>}
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

function Line({ line: { id, filename, site, state, by, createdAt, undoneAt, counts } }: { line: ContentImportLine }) {
  const [tone, label] = undoneAt ? STATES.undone : STATES[state]
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <li>
      <div>
        <p>
          <Link to={`/console/content-imports/${id}`}>{filename}</Link> <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="small soft">
          {formatMoment(createdAt)} · {by} · {site && `${hostOf(site)} · `}
          {rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`}
        </p>
      </div>
    </li>
  )
}
