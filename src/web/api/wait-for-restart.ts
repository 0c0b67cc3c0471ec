import { delay } from './delay.ts'

const ASK_EVERY_MS = 1_500
const GIVE_UP_AFTER_MS = 120_000

/**
 * Resolves when another process of the site answers, or after two minutes.
 * @param startedAt of the process that restarts
 * @param read reads when the present process started; it may fail while none runs
 */
export async function waitForRestart(startedAt: number, read: () => Promise<{ startedAt: number }>): Promise<void> {
  for (let waited = 0; waited < GIVE_UP_AFTER_MS; waited += ASK_EVERY_MS) {
    await delay(ASK_EVERY_MS)
    const process = await read().catch(() => null)
    if (process && process.startedAt !== startedAt) return
  }
}
