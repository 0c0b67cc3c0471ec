import { useState } from 'react'
import { formatLongDate } from '#contract/dates/dates.ts'
import { findDuplicates, type Duplicate } from '#contract/console/merge.ts'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { SearchField } from '#web/console/forms/search-field.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { MemberStateBadge } from '../member/member-state.tsx'

/** Suggests likely duplicates and searches for other accounts. */
export function DuplicateChooser({ id, onChosen }: { id: string; onChosen(other: Duplicate): void }) {
  const [search, setSearch] = useState('')
  const q = search.trim()
  const found = useLoaded(findDuplicates, { params: { id }, query: q === '' ? {} : { q } })
  return (
    <Card title="Which is the other account?">
      <SearchField label="Search by name, email, username or license number" onSearch={setSearch} />
      <WhenLoaded loaded={found} what="accounts">
        {({ duplicates }) => (
          <div aria-busy={found.isLoading}>
            <p role="status" className="soft">
              {statusOf(q, duplicates.length)}
            </p>
            <ul className="records">
              {duplicates.map((one) => (
                <li key={one.id}>
                  <div>
                    <p>
                      {one.name} <MemberStateBadge state={one.state} />
                    </p>
                    <p className="small soft">
                      {one.email} · joined {formatLongDate(one.joinedAt)}
                      {one.reasons.length > 0 && ` · ${one.reasons.join(', ')}`}
                    </p>
                  </div>
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`Compare with ${one.name}, ${one.email}`}
                    onClick={() => onChosen(one)}
                  >
                    Compare
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        )}
      </WhenLoaded>
    </Card>
  )
}

function statusOf(q: string, count: number): string {
  if (q !== '') return count === 0 ? 'No matching accounts.' : 'Matching open accounts:'
  return count === 0
    ? 'No account has the same name or number. Search for the other account.'
    : 'Likely the same person:'
}
