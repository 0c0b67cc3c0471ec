import { useState } from 'react'
import type { ContentDifference, ContentRevision } from '#contract/console-content.ts'
import { formatMoment } from '#contract/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const ACTIONS: Record<ContentRevision['action'], string> = {
  found: 'As it was before the console',
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  deleted: 'Taken off the site',
}
const SIGNS = { same: ' ', added: '+', removed: '−', gap: '…' } as const
const SAID = { same: '', added: 'Added: ', removed: 'Removed: ', gap: '' } as const

/** Every version with who saved it and what changed; each can be brought back. */
export function ContentHistory({
  revisions,
  isBusy,
  onRestore,
}: {
  revisions: readonly ContentRevision[]
  isBusy: boolean
  onRestore(number: number): void
}) {
  const [asked, setAsked] = useState<ContentRevision | null>(null)
  if (revisions.length === 0) return null
  return (
    <Sheet title="Versions">
      <ol className="history">
        {revisions.map((revision, index) => (
          <li key={revision.number}>
            <div className="entry">
              <p>
                <strong>{ACTIONS[revision.action]}</strong>
                <span className="small soft">
                  {' '}
                  {formatMoment(revision.at)} · {revision.by}
                </span>
              </p>
              {(index > 0 || revision.action === 'deleted') && (
                <Button
                  variant="line"
                  size="small"
                  aria-label={`Bring back version ${revision.number}`}
                  busy={isBusy}
                  onClick={() => setAsked(revision)}
                >
                  Bring back
                </Button>
              )}
            </div>
            {revision.differences.length > 0 && (
              <details>
                <summary>What changed</summary>
                <Differences differences={revision.differences} />
              </details>
            )}
          </li>
        ))}
      </ol>
      <Dialog open={asked !== null} onClose={() => setAsked(null)} title="Bring this version back?" width="30rem">
        {asked && (
          <>
            <p>
              {asked.action === 'draft' || asked.action === 'scheduled'
                ? 'It becomes a draft again. Visitors see no change until you publish it.'
                : 'Visitors see it within a second. What stands there now stays among the versions.'}
            </p>
            <div className="buttons">
              <Button
                onClick={() => {
                  setAsked(null)
                  onRestore(asked.number)
                }}
              >
                Bring it back
              </Button>
              <Button variant="line" onClick={() => setAsked(null)}>
                Leave everything as it is
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </Sheet>
  )
}

export function Differences({ differences }: { differences: readonly ContentDifference[] }) {
  return (
    <dl className="differences">
      {differences.map(({ field, lines }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            {lines.map(({ change, text }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- lines of a text have no other name, and never move
              <p key={index} className={`difference ${change}`}>
                <span aria-hidden="true">{SIGNS[change]} </span>
                <span className="visually-hidden">{SAID[change]}</span>
                {text}
              </p>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
