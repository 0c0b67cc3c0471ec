import { Link } from '#web/ui/link.tsx'
import { ROLE_NAMES } from '#contract/access.ts'
import type { RollOver } from '#contract/console/roll-over.ts'
import { Differences } from '../content/content-history.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'

/** All planned or completed changes, with the previous values. */
export function RollOverSummary({ rollOver: { content, roles, state } }: { rollOver: RollOver }) {
  const isDone = state === 'done'
  const emails = roles.filter(({ change }) => change === 'given').length
  return (
    <>
      <Card title="Site changes">
        {content.length === 0 && <p className="soft">No changes on the site.</p>}
        <ul className="roll-over-changes">
          {content.map(({ title, path, isNew, differences }) => (
            <li key={path}>
              <details>
                <summary>
                  <span>{title}</span>
                  <Badge tone={isNew ? 'ok' : 'quiet'}>{isNew ? 'New' : 'Changed'}</Badge>
                </summary>
                <Differences differences={differences} />
                {(isDone || !isNew) && (
                  <p className="small">
                    <Link to={path}>{isDone ? 'View with versions' : 'View current version'}</Link>
                  </p>
                )}
              </details>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Console roles">
        {roles.length === 0 && <p className="soft">No role changes.</p>}
        <ul className="roll-over-changes">
          {roles.map(({ name, role, change, before, after }) => (
            <li key={`${name} ${role} ${change}`}>
              <p>
                <strong>
                  {name}, {ROLE_NAMES[role].toLowerCase()}
                </strong>{' '}
                <Badge tone={change === 'given' ? 'ok' : 'quiet'}>{change === 'given' ? 'Starts' : 'Ends'}</Badge>
              </p>
              <p className="small soft">
                {before !== null && <del>{before}</del>} {after}
              </p>
            </li>
          ))}
        </ul>
        {emails > 0 && (
          <p>
            {emails === 1 ? '1 email' : `${emails} emails`} {isDone ? 'sent' : 'will be sent'} to new officers.
          </p>
        )}
      </Card>
    </>
  )
}
