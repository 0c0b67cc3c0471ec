import type { AuditEntry } from '#contract/console/audit.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { Link } from '#web/ui/link.tsx'

/** Audit log entries as sentences, each with its changes in a collapsed list. */
export function AuditEntries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ol className="history">
      {entries.map((entry) => (
        <li key={entry.id}>
          <p className="small soft">{formatMoment(entry.at)}</p>
          <p>
            <Named name={entry.actor} path={entry.actorPath} /> {entry.text.before}
            {entry.subject && <Named name={entry.subject} path={entry.subjectPath} />}
            {entry.text.after}.
          </p>
          <Changes changes={entry.changes} />
        </li>
      ))}
    </ol>
  )
}

function Named({ name, path }: { name: string; path: string | null }) {
  return path === null ? <strong>{name}</strong> : <Link to={path}>{name}</Link>
}

function Changes({ changes }: Pick<AuditEntry, 'changes'>) {
  if (changes.length === 0) return null
  return (
    <details>
      <summary>Details</summary>
      <dl className="key-values">
        {changes.map(({ label, before, after }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {before !== null && (
                <>
                  <del>{before}</del>{' '}
                </>
              )}
              {after ?? (before === null ? '' : 'removed')}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
