import { useCallback, useEffect, useRef, useState } from 'react'
import { explainToOfficer } from './console-door.ts'

export interface Loaded<T> {
  /** null before the first answer. */
  value: T | null
  /** The value is what another key meant, and stays until the answer is there: a list may go on showing it, books may not. */
  isOther: boolean
  failure: string | null
  isLoading: boolean
  /** Asks again; what is shown stays until the answer is there, also that it failed. */
  reload(): void
  /** Takes over an answer that came another way, such as that of a change. */
  setValue(value: T): void
}

/**
 * What a console page shows, asked for when it opens and whenever `key` changes; an answer that comes too late is not taken.
 * @param load must mean the same for the same key
 */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ value: T | null; of: string; failure: string | null; isLoading: boolean }>({
    value: null,
    of: key,
    failure: null,
    isLoading: true,
  })
  const asked = useRef({ key, load })
  const turn = useRef(0)

  useEffect(() => {
    asked.current = { key, load }
  })

  const reload = useCallback(() => {
    const mine = ++turn.current
    const { key: of, load: loadNow } = asked.current
    setState((before) => ({ ...before, isLoading: true }))
    loadNow().then(
      (value) => mine === turn.current && setState({ value, of, failure: null, isLoading: false }),
      (cause: unknown) =>
        mine === turn.current &&
        setState((before) => ({ ...before, failure: explainToOfficer(cause), isLoading: false })),
    )
  }, [])

  useEffect(() => {
    // That another key failed says nothing of this one.
    setState((before) => ({ ...before, failure: null }))
    reload()
    const turns = turn
    return () => {
      turns.current++
    }
  }, [key, reload])

  const setValue = useCallback((value: T) => {
    turn.current++
    setState({ value, of: asked.current.key, failure: null, isLoading: false })
  }, [])

  const { value, of, failure, isLoading } = state
  return { value, isOther: value !== null && of !== key, failure, isLoading, reload, setValue }
}
