import { useState } from 'react'
import { CONTENT_STATES, listContent, NEW_RECORD, type ContentState } from '#contract/console-content.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { SearchField } from '#web/features/console/search-field.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { consoleContentPath } from '#web/features/content/content-path.ts'
import { ContentStateBadge, STATE_WORDS } from '#web/features/content/content-state-badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { FieldBox } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'

/** The records of one kind, those that wait first. */
export default function ContentListPage({ id: kind }: { id: string }) {
  const [words, setWords] = useState('')
  const [state, setState] = useState<ContentState | ''>('')
  const [page, setPage] = useState(1)
  const found = useLoaded(JSON.stringify([words, state, page]), () =>
    callAsOfficer(listContent, {
      params: { kind },
      query: { q: words || undefined, state: state || undefined, page: String(page) },
    }),
  )
  const facts = found.value?.kind

  return (
    <ConsolePage
      title={facts?.label ?? 'Content'}
      lead={facts?.lead}
      action={facts?.canAdd && <ButtonLink to={consoleContentPath(kind, NEW_RECORD)}>{`New ${facts.one}`}</ButtonLink>}
    >
      <div className="pair">
        <SearchField
          label="Search"
          onSearch={(next) => {
            setWords(next)
            setPage(1)
          }}
        />
        <FieldBox id="field-state" label="Show">
          <select
            id="field-state"
            className="input"
            value={state}
            onChange={({ target }) => {
              setState(CONTENT_STATES.find((one) => one === target.value) ?? '')
              setPage(1)
            }}
          >
            <option value="">All but deleted</option>
            {CONTENT_STATES.map((one) => (
              <option key={one} value={one}>
                {STATE_WORDS[one]}
              </option>
            ))}
          </select>
        </FieldBox>
      </div>
      <WhenLoaded loaded={found} what="the list">
        {({ records, total, pages }) => (
          <>
            <p className="soft small" role="status">
              {total === 1 ? '1 found' : `${total} found`}
            </p>
            {records.length === 0 && <p className="sheet">Nothing here. Try other words, or write something new.</p>}
            <ul className="entries">
              {records.map((record) => (
                <li key={record.id} className="sheet entry">
                  <div>
                    <h2>
                      <Link to={consoleContentPath(kind, record.id)}>{record.title || 'Untitled'}</Link>
                    </h2>
                    <p className="soft small">{record.publishWords ?? record.detail}</p>
                  </div>
                  <ContentStateBadge state={record.state} />
                </li>
              ))}
            </ul>
            {pages > 1 && (
              <nav className="buttons" aria-label="Pages of the list">
                <Button variant="line" size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  Before
                </Button>
                <span>{`Page ${page} of ${pages}`}</span>
                <Button variant="line" size="small" disabled={page === pages} onClick={() => setPage(page + 1)}>
                  Next
                </Button>
              </nav>
            )}
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}
