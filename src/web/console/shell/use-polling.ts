import { useEffect, useEffectEvent } from 'react'
import type { Loaded } from './use-loaded.ts'

/** Follows what goes on at the server. Never asks while an answer is awaited, so that it moves on a slow line too; a lost answer does not end it. */
export function useLookAgain(
  { isLoading, reload }: Pick<Loaded<unknown>, 'isLoading' | 'reload'>,
  { isGoingOn, everyMs }: { isGoingOn: boolean; everyMs: number },
): void {
  const look = useEffectEvent(() => {
    if (!isLoading) reload()
  })

  useEffect(() => {
    if (!isGoingOn) return
    const timer = setInterval(look, everyMs)
    return () => clearInterval(timer)
  }, [isGoingOn, everyMs])
}
