import { listAudit } from '#contract/console/audit.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { Link } from '#web/ui/link.tsx'
import { WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Panel } from '../ui/panel.tsx'

const SHOWN = 6

/** The newest entries of the audit log. */
export function RecentActivity() {
  const found = useLoaded(listAudit, { query: {} })
  return (
    <Panel title="Recent activity" action={<Link to="/console/history">Audit log</Link>}>
      <WhenLoaded loaded={found} what="activity">
        {({ entries }) =>
          entries.length === 0 ? (
            <p>Nothing yet.</p>
          ) : (
            <ol className="console-timeline">
              {entries.slice(0, SHOWN).map(({ id, actor, actorPath, text, subject, subjectPath, at }) => (
                <li key={id}>
                  <Named name={actor} path={actorPath} /> {text.before}
                  {subject && <Named name={subject} path={subjectPath} />}
                  {text.after}. <span className="console-timeline-when">{formatMoment(at)}</span>
                </li>
              ))}
            </ol>
          )
        }
      </WhenLoaded>
    </Panel>
  )
}

function Named({ name, path }: { name: string; path: string | null }) {
  return path === null ? <strong>{name}</strong> : <Link to={path}>{name}</Link>
}
