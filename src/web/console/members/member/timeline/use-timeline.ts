import { useState } from 'react'
import { getMemberTimeline, type TimelineEntry, type TimelineFilter } from '#contract/console/people/member-timeline.ts'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { useLoaded, type Loaded } from '#web/console/shell/use-loaded.ts'
import type { ReplyOf } from '#contract/endpoint.ts'

type Page = ReplyOf<typeof getMemberTimeline>

interface Timeline {
  first: Loaded<Page>
  entries: readonly TimelineEntry[]
  hasMore: boolean
  isLoadingMore: boolean
  failure: string | null
  showMore(): Promise<void>
}

/** A timeline: its first page, and the pages an officer has asked for since. */
export function useTimeline(id: string, show: TimelineFilter): Timeline {
  const first = useLoaded(getMemberTimeline, { params: { id }, query: { show } })
  const [more, setMore] = useState<{ after: Page; entries: TimelineEntry[]; next: string | null } | null>(null)
  const [isLoadingMore, setLoading] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  // Further pages belong to the first page they follow: when that is read again, they are read again too.
  const rest = more && more.after === first.value ? more : null
  const next = rest ? rest.next : (first.value?.next ?? null)

  return {
    first,
    entries: [...(first.value?.entries ?? []), ...(rest?.entries ?? [])],
    hasMore: next !== null && !first.isStale,
    isLoadingMore,
    failure,
    async showMore() {
      const after = first.value
      if (next === null || after === null || isLoadingMore) return
      setLoading(true)
      setFailure(null)
      try {
        const page = await callAsOfficer(getMemberTimeline, { params: { id }, query: { show, before: next } })
        setMore({ after, entries: [...(rest?.entries ?? []), ...page.entries], next: page.next })
      } catch (cause) {
        setFailure(officerErrorMessage(cause))
      }
      setLoading(false)
    },
  }
}
