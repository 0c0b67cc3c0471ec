import { useState } from 'react'

/** Something a button does: once at a time, and whether the last time failed. */
export function useAttempt(act: () => Promise<void>): { isBusy: boolean; hasFailed: boolean; run(): void } {
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  async function attempt() {
    if (isBusy) return
    setBusy(true)
    setFailed(false)
    await act().catch(() => setFailed(true))
    setBusy(false)
  }
  return { isBusy, hasFailed, run: () => void attempt() }
}
