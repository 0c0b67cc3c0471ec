import { useCallback, useEffect, useRef, useState } from 'react'
import { explainToOfficer } from './console-door.ts'

export interface Loaded<T> {
  /** null before the first answer. */
  value: T | null
  failure: string | null
  isLoading: boolean
  /** Asks again; what is shown stays until the answer is there. */
  reload(): void
  /** Takes over an answer that came another way, such as that of a change. */
  setValue(value: T): void
}

/**
 * What a console page shows, asked for when it opens and whenever `key` changes; an answer that comes too late is not taken.
 * @param load must mean the same for the same key
 */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ value: T | null; failure: string | null; isLoading: boolean }>({
    value: null,
    failure: null,
    isLoading: true,
  })
  const loader = useRef(load)
  const turn = useRef(0)

  useEffect(() => {
    loader.current = load
  })

  const reload = useCallback(() => {
    const mine = ++turn.current
    setState((before) => ({ ...before, isLoading: true, failure: null }))
    loader.current().then(
      (value) => mine === turn.current && setState({ value, failure: null, isLoading: false }),
      (cause: unknown) =>
        mine === turn.current &&
        setState((before) => ({ ...before, failure: explainToOfficer(cause), isLoading: false })),
    )
  }, [])

  useEffect(() => {
    reload()
    const turns = turn
    return () => {
      turns.current++
    }
  }, [key, reload])

  const setValue = useCallback((value: T) => {
    turn.current++
    setState({ value, failure: null, isLoading: false })
  }, [])

  return { ...state, reload, setValue }
}
