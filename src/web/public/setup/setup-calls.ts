import type { ReplyOf } from '#contract/endpoint.ts'
import { beginSetup, enterSetup, readSetup } from '#contract/setup/first-steps.ts'
import { delay } from '#web/api/delay.ts'
import { call } from '#web/api/call.ts'

const ASK_EVERY_MS = 1_500
const GIVE_UP_AFTER_MS = 120_000

/** Uses the code unless this browser has used it already. @throws {CallFailure} */
export async function openSetup(code: string | null): Promise<ReplyOf<typeof readSetup>> {
  try {
    return await call(readSetup)
  } catch (failure) {
    if (code === null) throw failure
    await call(enterSetup, { body: { code } })
    return call(readSetup)
  }
}

export const begin = (body: NonNullable<NonNullable<Parameters<typeof call<typeof beginSetup>>[1]>['body']>) =>
  call(beginSetup, { body })

/** Resolves when the site runs again after a restart, or after two minutes. */
export async function waitForRestart(startedAt: number): Promise<void> {
  for (let waited = 0; waited < GIVE_UP_AFTER_MS; waited += ASK_EVERY_MS) {
    await delay(ASK_EVERY_MS)
    const setup = await call(readSetup).catch(() => null)
    if (setup && setup.startedAt !== startedAt) return
  }
}
