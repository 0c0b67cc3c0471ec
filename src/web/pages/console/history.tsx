import { useState } from 'react'
import { listAudit, type AuditEntry } from '#contract/console.ts'
import { formatMoment } from '#contract/dates.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { SearchField } from '#web/features/console/search-field.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Button } from '#web/ui/button.tsx'

/** Who did what: read and searched, never changed (issue 8, 1). */
export default function HistoryPage() {
  const [words, setWords] = useState('')
  const found = useLoaded(words, () => callAsOfficer(listAudit, { query: { q: words || undefined } }))
  const more = useAction()

  async function loadMore() {
    const { value } = found
    if (!value) return
    const next = await callAsOfficer(listAudit, { query: { q: words || undefined, before: value.entries.at(-1)?.id } })
    found.setValue({ entries: [...value.entries, ...next.entries], hasMore: next.hasMore })
  }

  return (
    <ConsolePage title="History" lead="Everything that was done in the console, by the site and by the webmaster.">
      <SearchField label="Search people, actions and details" onSearch={setWords} />
      <WhenLoaded loaded={found} what="the history">
        {({ entries, hasMore }) => (
          <>
            {entries.length === 0 && <p className="sheet">Nothing was found.</p>}
            <ol className="history">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
            {more.failure && <p role="alert">{more.failure}</p>}
            {hasMore && (
              <Button
                variant="line"
                busy={more.busy !== null}
                busyLabel="Loading more"
                onClick={() => void more.run('more', loadMore)}
              >
                Show more
              </Button>
            )}
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Entry({ entry: { at, actor, action, subject, details } }: { entry: AuditEntry }) {
  const said = Object.entries(details).filter(([, value]) => value !== null && value !== '')
  return (
    <li>
      <p className="small soft">
        {formatMoment(at)} · {actor}
      </p>
      <p>
        <strong>{action}</strong> {subject}
      </p>
      {said.length > 0 && (
        <details>
          <summary>Details</summary>
          <dl className="key-values">
            {said.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  )
}
