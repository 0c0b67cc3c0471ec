import { useState } from 'react'
import { CONTENT_STATES, listContent, NEW_RECORD, type ContentState } from '#contract/console/content.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { SearchField } from '../forms/search-field.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { consoleContentUrl } from './content-url.ts'
import { ContentStateBadge, CONTENT_STATE_NAMES } from './content-state-badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { FieldBox } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'

/** The records of one content type, drafts first. */
export default function ContentListPage({ kind }: { kind: string }) {
  const [query, setQuery] = useState('')
  const [state, setState] = useState<ContentState | ''>('')
  const [page, setPage] = useState(1)
  const found = useLoaded(listContent, {
    params: { kind },
    query: { q: query || undefined, state: state || undefined, page: String(page) },
  })
  const type = found.value?.kind

  return (
    <ConsolePage
      title={type?.label ?? 'Pages & content'}
      lead={type?.lead}
      action={type?.canAdd && <ButtonLink to={consoleContentUrl(kind, NEW_RECORD)}>{`New ${type.one}`}</ButtonLink>}
    >
      <div className="pair">
        <SearchField
          label="Search"
          onSearch={(next) => {
            setQuery(next)
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
            <option value="">All except deleted</option>
            {CONTENT_STATES.map((one) => (
              <option key={one} value={one}>
                {CONTENT_STATE_NAMES[one]}
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
            {records.length === 0 && <p className="card">No results. Try another search, or create something new.</p>}
            <ul className="entries">
              {records.map((record) => (
                <li key={record.id} className="card entry">
                  <div>
                    <h2>
                      <Link to={consoleContentUrl(kind, record.id)}>{record.title || 'Untitled'}</Link>
                    </h2>
                    <p className="soft small">{record.publishWords ?? record.detail}</p>
                  </div>
                  <ContentStateBadge state={record.state} />
                </li>
              ))}
            </ul>
            {pages > 1 && (
              <nav className="buttons" aria-label="Pagination">
                <Button variant="line" size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  Previous
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
