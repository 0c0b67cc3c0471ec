import { useSearchParams } from 'react-router'

export interface ListParams<State extends string> {
  state: State
  /** The search query; '' for none. */
  query: string
  /** From 1. */
  page: number
  /** These return to the first page. */
  setState(state: State): void
  search(query: string): void
  setPage(page: number): void
}

/** A list's state, query and page, kept in the URL so that reloads, bookmarks and links show the same. */
export function useListParams<State extends string>(states: readonly State[], first: State): ListParams<State> {
  const [params, setParams] = useSearchParams()
  const state = states.find((known) => known === params.get('state')) ?? first
  const query = params.get('q') ?? ''
  const asked = Number(params.get('page') ?? 1)
  const page = Number.isInteger(asked) && asked >= 1 ? asked : 1

  function go(wanted: { state: State; query: string; page: number }) {
    const next = new URLSearchParams()
    if (wanted.state !== first) next.set('state', wanted.state)
    if (wanted.query) next.set('q', wanted.query)
    if (wanted.page > 1) next.set('page', String(wanted.page))
    setParams(next, { replace: true, preventScrollReset: true })
  }
  return {
    state,
    query,
    page,
    setState: (next) => go({ state: next, query, page: 1 }),
    search: (next) => next !== query && go({ state, query: next, page: 1 }),
    setPage: (next) => go({ state, query, page: next }),
  }
}
