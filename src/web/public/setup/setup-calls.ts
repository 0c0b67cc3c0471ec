import type { ReplyOf } from '#contract/endpoint.ts'
import { beginSetup, enterSetup, readSetup } from '#contract/setup/first-steps.ts'
import { call } from '#web/api/call.ts'
import { waitForRestart } from '#web/api/wait-for-restart.ts'

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

/** Resolves when the site runs again with its time zone. */
export const waitForSite = (startedAt: number) => waitForRestart(startedAt, () => call(readSetup))
