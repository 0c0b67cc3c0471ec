import { useState } from 'react'
import type { ContentDifference, ContentRevision } from '#contract/console/content.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Panel } from '../ui/panel.tsx'

const ACTIONS: Record<ContentRevision['action'], string> = {
  found: 'Original',
  draft: 'Draft saved',
  scheduled: 'Scheduled',
  published: 'Published',
  deleted: 'Deleted',
}
const MARKS = { same: ' ', added: '+', removed: '−', gap: '…' } as const
const SCREEN_READER_TEXT = { same: '', added: 'Added: ', removed: 'Removed: ', gap: '' } as const

/** All versions with their author and changes; each can be restored. */
export function ContentHistory({
  revisions,
  isBusy,
  onRestore,
}: {
  revisions: readonly ContentRevision[]
  isBusy: boolean
  onRestore(number: number): void
}) {
  const [selected, setSelected] = useState<ContentRevision | null>(null)
  if (revisions.length === 0) return null
  return (
    <Panel title="History">
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
                  aria-label={`Restore version ${revision.number}`}
                  busy={isBusy}
                  onClick={() => setSelected(revision)}
                >
                  Restore
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
      <Dialog open={selected !== null} onClose={() => setSelected(null)} title="Restore this version?" width="30rem">
        {selected && (
          <>
            <p>
              {selected.action === 'draft' || selected.action === 'scheduled'
                ? 'It becomes a draft. Visitors see no change until you publish it.'
                : 'It goes live immediately. The current version is kept in the list.'}
            </p>
            <div className="buttons">
              <Button
                onClick={() => {
                  setSelected(null)
                  onRestore(selected.number)
                }}
              >
                Restore
              </Button>
              <Button variant="line" onClick={() => setSelected(null)}>
                Cancel
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </Panel>
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
                <span aria-hidden="true">{MARKS[change]} </span>
                <span className="visually-hidden">{SCREEN_READER_TEXT[change]}</span>
                {text}
              </p>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
