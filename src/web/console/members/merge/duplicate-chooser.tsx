import { useState } from 'react'
import { formatLongDate } from '#contract/dates.ts'
import { findDuplicates, type Duplicate } from '#contract/console-merge.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { WhenLoaded } from '#web/features/console/console-page.tsx'
import { SearchField } from '#web/features/console/search-field.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { MemberStateBadge } from './member-state.tsx'

/** Accounts that are likely the same person, and a search for another one. */
export function DuplicateChooser({ id, onChosen }: { id: string; onChosen(other: Duplicate): void }) {
  const [words, setWords] = useState('')
  const q = words.trim()
  const found = useLoaded(`${id} ${q}`, () =>
    callAsOfficer(findDuplicates, { params: { id }, query: q === '' ? {} : { q } }),
  )
  return (
    <Sheet title="Which is the other account?">
      <SearchField label="Search by name, email, username or NPI" onSearch={setWords} />
      <WhenLoaded loaded={found} what="the accounts">
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
    </Sheet>
  )
}

function statusOf(q: string, count: number): string {
  if (q !== '') return count === 0 ? 'Nobody matches these words.' : 'Open accounts that match these words:'
  return count === 0 ? 'Nobody has the same name or NPI. Search for the other account.' : 'Likely the same person:'
}
