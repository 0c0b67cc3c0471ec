import { useState } from 'react'
import { getSiteSetup } from '#contract/setup/site-setup.ts'
import { waitForRestart } from '#web/api/wait-for-restart.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'

/** Waits until the site runs again with new settings. */
export function useRestart() {
  const [isRunning, setRunning] = useState(false)

  async function wait(startedAt: number): Promise<void> {
    setRunning(true)
    await waitForRestart(startedAt, () => callAsOfficer(getSiteSetup))
    setRunning(false)
  }

  return { isRunning, wait }
}
