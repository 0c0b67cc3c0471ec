import { useCallback, useEffect, useRef, useState } from 'react'
import { officerErrorMessage } from './call-as-officer.ts'

export interface Loaded<T> {
  /** null before the first response. */
  value: T | null
  /** The value belongs to the previous key and stays until the response arrives. Lists may show it meanwhile, financial pages may not. */
  isStale: boolean
  failure: string | null
  isLoading: boolean
  /** Refetches; the current value or error stays until the response arrives. */
  reload(): void
  /** Sets the value from another response, such as that of an update. */
  setValue(value: T): void
}

/**
 * Loads a console page's data on mount and whenever `key` changes; ignores outdated responses.
 * @param load must load the same thing for the same key
 */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ value: T | null; of: string; failure: string | null; isLoading: boolean }>({
    value: null,
    of: key,
    failure: null,
    isLoading: true,
  })
  const current = useRef({ key, load })
  const latest = useRef(0)

  useEffect(() => {
    current.current = { key, load }
  })

  const reload = useCallback(() => {
    const request = ++latest.current
    const { key: of, load: loadNow } = current.current
    setState((before) => ({ ...before, isLoading: true }))
    loadNow().then(
      (value) => request === latest.current && setState({ value, of, failure: null, isLoading: false }),
      (cause: unknown) =>
        request === latest.current &&
        setState((before) => ({ ...before, failure: officerErrorMessage(cause), isLoading: false })),
    )
  }, [])

  useEffect(() => {
    // The error belongs to the previous key.
    setState((before) => ({ ...before, failure: null }))
    reload()
    const requests = latest
    return () => {
      requests.current++
    }
  }, [key, reload])

  const setValue = useCallback((value: T) => {
    latest.current++
    setState({ value, of: current.current.key, failure: null, isLoading: false })
  }, [])

  const { value, of, failure, isLoading } = state
  return { value, isStale: value !== null && of !== key, failure, isLoading, reload, setValue }
}
