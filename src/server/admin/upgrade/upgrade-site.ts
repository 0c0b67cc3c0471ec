import { setTimeout as sleep } from 'node:timers/promises'
import type { Say } from '../tools.ts'

const LOOK_EVERY_MS = 500
/** A site that becomes ready and fails at once is not ready. */
const STAYS_READY_MS = 3_000

/** What an upgrade does to a server. A release is named by its folder. All of them throw when they fail. */
export interface Server {
  stop(): Promise<void>
  /** Ends a site that may not react to the ordinary way. */
  kill(): Promise<void>
  start(): Promise<void>
  isReady(): Promise<boolean>
  /** Makes the release the one that runs from the next start on. */
  switchTo(release: string): Promise<void>
  /** Makes the backup to which the upgrade can return. */
  backUp(release: string): Promise<void>
  /** Whether the release can use the database as it is now. */
  accepts(release: string): Promise<boolean>
  /** Restores that backup with the programs of the release. */
  restore(release: string): Promise<void>
  /** Sends one email to the officers. */
  notify(sentences: string[]): Promise<void>
}

export interface Upgrade {
  from: string
  to: string
  readyWithinMs: number
}

/** Returns whether the new release runs. Otherwise the previous one runs again with its data, or the last line says what to do by hand. */
export async function upgradeSite(server: Server, upgrade: Upgrade, say: Say): Promise<boolean> {
  const { from, to, readyWithinMs } = upgrade
  say('The site is stopped for the backup.')
  try {
    await server.stop()
    await server.backUp(from)
  } catch (error) {
    say(`No backup could be made, so nothing was changed: ${(error as Error).message}`)
    await server.start()
    return false
  }

  let reason: string
  try {
    await server.switchTo(to)
    await server.start()
    if (await becomesReady(server, readyWithinMs)) return true
    reason = `The new release was not ready within ${Math.round(readyWithinMs / 1_000)} seconds.`
  } catch (error) {
    reason = `The new release could not be started: ${(error as Error).message}`
  }
  say(`${reason} The previous release is started again.`)
  const result = await goBack(server, from, readyWithinMs)
  for (const sentence of result) say(sentence)
  await server
    .notify([reason, ...result])
    .catch((error: Error) => say(`The email to the officers failed: ${error.message}`))
  return false
}

/** Returns what was done, or what is left to do by hand. */
async function goBack(server: Server, from: string, readyWithinMs: number): Promise<string[]> {
  try {
    await server.kill()
    await server.switchTo(from)
    // A database that the new release did not migrate keeps what people did meanwhile.
    const accepts = await server.accepts(from)
    if (!accepts) await server.restore(from)
    await server.start()
    const isReady = await becomesReady(server, readyWithinMs)
    return [
      isReady ? 'The previous release runs again.' : 'The previous release was started and is not ready.',
      accepts
        ? 'The database was not changed by the new release.'
        : 'The new release had changed the database: it was restored as it was before the upgrade.',
    ]
  } catch (error) {
    return [
      `The previous release could not be started: ${(error as Error).message}`,
      'The backup is complete. UPGRADING.md, "When it fails", lists the commands that restore it.',
    ]
  }
}

async function becomesReady(server: Server, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  while (Date.now() < deadline) {
    if (await server.isReady()) {
      await sleep(Math.min(STAYS_READY_MS, withinMs / 2))
      if (await server.isReady()) return true
    }
    await sleep(LOOK_EVERY_MS)
  }
  return false
}
