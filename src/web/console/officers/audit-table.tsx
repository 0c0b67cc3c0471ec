import { dateFormat } from '#contract/formatters.ts'
import { region } from '#contract/region.ts'
import { Fragment } from 'react'
import { AUDIT_KIND_NAMES, type AuditEntry } from '#contract/console/audit.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import type { ListState } from '../list/use-list.ts'
import { ICONS } from '../ui/console-icons.ts'

/** 'Nov 23, 2026, 9:05 AM'. */
function momentText(at: string): string {
  const format = dateFormat({
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: region().timeZone,
  })
  return format.format(Date.parse(at))
}

/** The entries as a table; the open one, which is in the address, shows what changed. */
export function AuditTable({
  entries,
  list,
}: {
  entries: readonly AuditEntry[]
  list: Pick<ListState, 'open' | 'change'>
}) {
  return (
    <table className="data-table audit-table">
      <caption className="visually-hidden">Audit log, newest first</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col" className="priority-2">
            Area
          </th>
          <th className="acts">
            <span className="visually-hidden">Details</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const { id, at, actor, actorPath, kind, subject, subjectPath, text, changes } = entry
          const isOpen = list.open === id
          return (
            <Fragment key={id}>
              <tr data-selected={isOpen || undefined}>
                <td className="soft audit-when">{momentText(at)}</td>
                <th scope="row" className="name">
                  <Named name={actor} path={actorPath} /> {text.before}
                  {subject && <Named name={subject} path={subjectPath} />}
                  {text.after}.
                </th>
                <td className="priority-2">{kind && <Badge tone="quiet">{AUDIT_KIND_NAMES[kind]}</Badge>}</td>
                <td className="acts">
                  {changes.length > 0 && (
                    <button
                      type="button"
                      className="row-menu"
                      aria-expanded={isOpen}
                      aria-label={`Details of ${momentText(at)}`}
                      onClick={() => list.change({ open: isOpen ? null : id })}
                    >
                      <Icon d={isOpen ? ICONS.down : ICONS.right} />
                    </button>
                  )}
                </td>
              </tr>
              {isOpen && (
                <tr className="audit-details">
                  <td colSpan={4}>
                    <Changes entry={entry} />
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

function Named({ name, path }: { name: string; path: string | null }) {
  return path === null ? <strong>{name}</strong> : <Link to={path}>{name}</Link>
}

function Changes({ entry: { id, changes } }: { entry: AuditEntry }) {
  return (
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
      <div>
        <dt>Entry</dt>
        <dd>
          <code>{id}</code>
        </dd>
      </div>
    </dl>
  )
}
