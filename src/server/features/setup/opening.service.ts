import type { AppContext } from '#server/app-context.ts'
import { equalSecrets, hashToken } from '#server/lib/secrets.ts'
import { findSetup } from './setup.queries.ts'

const POLL_MS = 1_000

/**
 * Whether the site is open, in memory: every request asks. While it is closed it is read again each second, so that every instance opens within a second; an
 * open site stays open and reads nothing.
 */
export async function createOpening({ db, clock, log }: AppContext, { polling }: { polling: boolean }) {
  let setup = await findSetup(db)
  const isOpen = () => setup === null || setup.openedAt !== null

  async function refresh(): Promise<void> {
    if (!isOpen()) setup = await findSetup(db)
    if (isOpen()) stop()
  }

  const timer =
    polling && !isOpen()
      ? setInterval(() => {
          refresh().catch((error: unknown) => log.warn({ reason: String(error).slice(0, 200) }, 'set-up not read'))
        }, POLL_MS)
      : null
  timer?.unref()

  function stop(): void {
    if (timer) clearInterval(timer)
  }

  return {
    isOpen,
    /** Whether a code opens the set-up page now. It is not used up. */
    isCode: (code: string) =>
      Boolean(setup?.codeHash && equalSecrets(hashToken(code), setup.codeHash)) &&
      (setup?.codeExpiresAt ?? 0) > clock.now(),
    refresh,
    stop,
  }
}

export type Opening = Awaited<ReturnType<typeof createOpening>>
