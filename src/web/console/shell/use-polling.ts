import { useEffect, useEffectEvent } from 'react'
import type { Loaded } from './use-loaded.ts'

/** Polls while a server-side job runs. Never sends a request while one is pending, and continues after a failed one. */
export function usePolling(
  { isLoading, reload }: Pick<Loaded<unknown>, 'isLoading' | 'reload'>,
  { isGoingOn, everyMs }: { isGoingOn: boolean; everyMs: number },
): void {
  const poll = useEffectEvent(() => {
    if (!isLoading) reload()
  })

  useEffect(() => {
    if (!isGoingOn) return
    const timer = setInterval(poll, everyMs)
    return () => clearInterval(timer)
  }, [isGoingOn, everyMs])
}
