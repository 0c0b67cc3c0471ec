import { Link } from '#web/ui/link.tsx'
import { ROLE_NAMES } from '#contract/access.ts'
import type { RollOver } from '#contract/console-roll-over.ts'
import { Differences } from '#web/features/content/content-history.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** Everything that will happen, or happened, with what it was before. */
export function RollOverSummary({ rollOver: { content, roles, state } }: { rollOver: RollOver }) {
  const isDone = state === 'done'
  const letters = roles.filter(({ change }) => change === 'given').length
  return (
    <>
      <Sheet title={isDone ? 'What visitors see since' : 'What visitors will see'}>
        {content.length === 0 && <p className="soft">The site says all of this already.</p>}
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
                    <Link to={path}>{isDone ? 'Open it, with its versions' : 'Open it as it is now'}</Link>
                  </p>
                )}
              </details>
            </li>
          ))}
        </ul>
      </Sheet>
      <Sheet title="Console roles">
        {roles.length === 0 && <p className="soft">Nobody’s role changes.</p>}
        <ul className="roll-over-changes">
          {roles.map(({ name, role, change, before, after }) => (
            <li key={`${name} ${role} ${change}`}>
              <p>
                <strong>
                  {name}, {ROLE_NAMES[role].toLowerCase()}
                </strong>{' '}
                <Badge tone={change === 'given' ? 'ok' : 'quiet'}>{change === 'given' ? 'Comes' : 'Goes'}</Badge>
              </p>
              <p className="small soft">
                {before !== null && <del>{before}</del>} {after}
              </p>
            </li>
          ))}
        </ul>
        {letters > 0 && (
          <p>
            {isDone ? 'Went out: ' : 'Goes out: '}
            {letters === 1 ? '1 letter' : `${letters} letters`} to whoever gets a role.
          </p>
        )}
      </Sheet>
    </>
  )
}
