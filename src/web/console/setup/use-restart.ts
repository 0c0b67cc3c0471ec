import { useState } from 'react'
import { getSiteSetup } from '#contract/setup/site-setup.ts'
import { delay } from '#web/api/delay.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'

const ASK_EVERY_MS = 1_500
const GIVE_UP_AFTER_MS = 120_000

/** Waits until the site runs again with new settings. */
export function useRestart() {
  const [isRunning, setRunning] = useState(false)

  /** Resolves when another process answers, or after two minutes. */
  async function wait(startedAt: number): Promise<void> {
    setRunning(true)
    for (let waited = 0; waited < GIVE_UP_AFTER_MS; waited += ASK_EVERY_MS) {
      await delay(ASK_EVERY_MS)
      const setup = await callAsOfficer(getSiteSetup).catch(() => null)
      if (setup && setup.startedAt !== startedAt) break
    }
    setRunning(false)
  }

  return { isRunning, wait }
}
