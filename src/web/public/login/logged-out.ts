import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

/** For the entry of the history that leads to the log-in page: the sentence that page shows. */
export function loggedOutBecause(sentence: string): object {
  return { loggedOutBecause: sentence }
}

/** Why this visitor was sent to log in, or null. Read after mount, since the server renders the page without a history. */
export function useLoggedOutReason(): string | null {
  const { state } = useLocation()
  const [reason, setReason] = useState<string | null>(null)
  useEffect(() => {
    const sentence: unknown = state?.loggedOutBecause
    setReason(typeof sentence === 'string' ? sentence : null)
  }, [state])
  return reason
}
