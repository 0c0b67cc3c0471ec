import { keepPreviousData, notifyManager, QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { callAsOfficer, officerErrorMessage, type CallOptions } from './call-as-officer.ts'

export interface Loaded<T> {
  /** null before the first response. */
  value: T | null
  /** The value belongs to the previous parameters and stays until the response arrives. Lists may show it meanwhile, financial pages may not. */
  isStale: boolean
  failure: string | null
  isLoading: boolean
  /** Refetches; the current value or error stays until the response arrives. */
  reload(): void
  /** Sets the value from another response, such as that of an update. */
  setValue(value: T): void
}

/**
 * The replies on the current page, by endpoint and parameters. Nothing is kept for later pages: each visit shows what the server has now.
 * `callAsOfficer` decides about retries and lost networks.
 */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: 0,
      networkMode: 'always',
      retry: false,
      refetchOnReconnect: false,
      refetchOnWindowFocus: false,
    },
  },
})
// By default changes are shown a timer later.
notifyManager.setScheduler(queueMicrotask)

/**
 * Loads a console page's data, on mount and whenever the parameters change.
 * @param pollEveryMs polls while it returns a number, except in a hidden tab
 */
export function useLoaded<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
  pollEveryMs: (value: ReplyOf<E>) => number | false = () => false,
): Loaded<ReplyOf<E>> {
  const queryKey = [endpoint.name, options]
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery<ReplyOf<E>>(
    {
      queryKey,
      queryFn: async () => (await callAsOfficer(endpoint, options)) as ReplyOf<E>,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => state.data !== undefined && pollEveryMs(state.data),
    },
    queries,
  )

  // `gcTime` alone would leave the reply, or the request under way, to a page that follows at once.
  useEffect(() => () => queries.removeQueries({ type: 'inactive' }), [])

  // A query drops its error as soon as it is fetched again.
  const key = JSON.stringify(queryKey)
  const [failed, setFailed] = useState<{ key: string; error: Error } | null>(null)
  const shown = failed?.key === key ? failed.error : null
  if (!isFetching && error !== shown) setFailed(error && { key, error })

  return {
    value: data ?? null,
    isStale: isPlaceholderData,
    failure: shown && officerErrorMessage(shown),
    isLoading: isFetching,
    reload: () => void refetch(),
    setValue(value) {
      // A request under way is older.
      void queries.cancelQueries({ queryKey, exact: true })
      queries.setQueryData<ReplyOf<E>>(queryKey, value)
    },
  }
}

/** Refetches everything on the current page. */
export function reloadPageData(): void {
  void queries.invalidateQueries()
}
