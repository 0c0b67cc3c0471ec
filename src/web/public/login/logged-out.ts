import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

/** History state for the navigation to the login page: the message that page shows. */
export function loggedOutState(sentence: string): object {
  return { loggedOutBecause: sentence }
}

/** Why the visitor was sent to log in, or null. Read after mount because the server has no history state. */
export function useLoggedOutReason(): string | null {
  const { state } = useLocation()
  const [reason, setReason] = useState<string | null>(null)
  useEffect(() => {
    const sentence: unknown = state?.loggedOutBecause
    setReason(typeof sentence === 'string' ? sentence : null)
  }, [state])
  return reason
}
