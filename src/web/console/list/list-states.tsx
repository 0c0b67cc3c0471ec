import { useEffect, useState, type ReactNode } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import type { Loaded } from '../shell/use-loaded.ts'
import { Empty } from '../ui/empty.tsx'
import type { ListState } from './use-list.ts'

/** A list that answers at once shows no skeleton. */
const SKELETON_AFTER_MS = 300

interface ListStatesProps<T> {
  loaded: Loaded<T>
  list: Pick<ListState, 'isFiltered' | 'clearFilters'>
  /** For example 'members'. */
  what: string
  isEmpty(value: T): boolean
  /** Shown when there are none at all. */
  empty: ReactNode
  /** Shown below "No members match these filters.", such as similar names. */
  hint?(value: T): ReactNode
  children(value: T): ReactNode
}

/** A list in each of its states: loading, failed, empty for the first time, nothing matches, and filled. */
export function ListStates<T>({ loaded, list, what, isEmpty, empty, hint, children }: ListStatesProps<T>) {
  const { value, failure, isLoading, reload } = loaded
  return (
    <>
      {failure && (
        <Banner tone="bad" role="alert">
          <p>{failure}</p>
          <Button variant="line" size="small" busy={isLoading} busyLabel="Retrying" onClick={reload}>
            Try again
          </Button>
        </Banner>
      )}
      {value === null ? (
        !failure && <SkeletonRows what={what} />
      ) : isEmpty(value) ? (
        list.isFiltered ? (
          <Empty
            title={`No ${what} match these filters.`}
            action={
              <Button variant="line" size="small" onClick={list.clearFilters}>
                Clear filters
              </Button>
            }
          >
            {hint?.(value)}
          </Empty>
        ) : (
          empty
        )
      ) : (
        <div className="list" aria-busy={isLoading}>
          {children(value)}
        </div>
      )}
    </>
  )
}

function SkeletonRows({ what }: { what: string }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="skeleton-rows" role="status">
      <span className="visually-hidden">Loading {what}</span>
      {isShown &&
        Array.from({ length: 8 }, (_, row) => (
          <div key={row} aria-hidden="true">
            <span />
            <span />
            <span />
          </div>
        ))}
    </div>
  )
}
