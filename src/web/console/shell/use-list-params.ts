import { useSearchParams } from 'react-router'

export interface ListAddress<State extends string> {
  state: State
  /** What is looked for; '' when nothing is. */
  words: string
  /** From 1. */
  page: number
  /** Each of them shows the first page. */
  choose(state: State): void
  search(words: string): void
  turnTo(page: number): void
}

/** What of a list is shown, kept in the address: a reload, a bookmark and a link from Today show the same. */
export function useListAddress<State extends string>(states: readonly State[], first: State): ListAddress<State> {
  const [params, setParams] = useSearchParams()
  const state = states.find((known) => known === params.get('state')) ?? first
  const words = params.get('q') ?? ''
  const asked = Number(params.get('page') ?? 1)
  const page = Number.isInteger(asked) && asked >= 1 ? asked : 1

  function go(wanted: { state: State; words: string; page: number }) {
    const next = new URLSearchParams()
    if (wanted.state !== first) next.set('state', wanted.state)
    if (wanted.words) next.set('q', wanted.words)
    if (wanted.page > 1) next.set('page', String(wanted.page))
    setParams(next, { replace: true, preventScrollReset: true })
  }
  return {
    state,
    words,
    page,
    choose: (next) => go({ state: next, words, page: 1 }),
    search: (next) => next !== words && go({ state, words: next, page: 1 }),
    turnTo: (next) => go({ state, words, page: next }),
  }
}
