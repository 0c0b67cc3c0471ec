import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backend, Gateway } from './gateway.ts'

/** A running copy of the demo. */
export interface Round {
  backend: Backend
  /** Resolves when it ends, asked or not. */
  ended: Promise<unknown>
  stop(): Promise<unknown>
}

export interface RoundsOptions {
  directory: string
  gateway: Pick<Gateway, 'use'>
  /** Starts a copy on a new, empty folder; `turn` alternates between 0 and 1, for ports that two copies at a time do not share. */
  start(folder: string, turn: number): Promise<Round>
  say(sentence: string): void
}

const MARK = 'demo'

/**
 * The copies of a demo, one after another: each begins on a new folder, takes over, and only then the one before is stopped and its folder deleted. Visitors wait for none of
 * it.
 * @throws Error if `directory` has a folder of these names that no demo made
 */
export function createRounds({ directory, gateway, start, say }: RoundsOptions) {
  let current: Round | null = null
  let turn = 1

  const folderOf = (which: number) => join(directory, `round-${which}`)

  function clear(which: number): void {
    const folder = folderOf(which)
    if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, MARK)))
      throw new Error(`${folder} was not made by a demo: choose another DATA_DIR.`)
    rmSync(folder, { recursive: true, force: true })
  }

  return {
    /** Replaces the running copy by a fresh one; if that does not start, the running one stays. Returns whether it was replaced. */
    async renew(): Promise<boolean> {
      const next = 1 - turn
      clear(next)
      mkdirSync(folderOf(next), { recursive: true })
      let round: Round
      try {
        round = await start(folderOf(next), next)
      } catch (error) {
        say(`The demo could not start afresh: ${(error as Error).message}`)
        return false
      }
      const before = current
      current = round
      gateway.use(round.backend)
      void round.ended.then(() => {
        if (current === round) gateway.use(null)
      })
      await before?.stop()
      if (before) clear(turn)
      turn = next
      return true
    },

    isRunning: () => current !== null,
    /** Resolves when the running copy ends by itself; never without one. */
    ended: () => current?.ended ?? new Promise(() => {}),
    /** How much the running copy stores. */
    bytes: () => sizeOf(folderOf(turn)),

    async stop(): Promise<void> {
      const last = current
      current = null
      gateway.use(null)
      await last?.stop()
    },
  }
}

export type Rounds = ReturnType<typeof createRounds>

/** Renews the demo at each full hour, and at once when it ended or stores more than `mostBytes`; until `signal`. */
export async function renewEachHour(
  rounds: Rounds,
  {
    nextAt,
    mostBytes,
    signal,
    everyMs = 10_000,
  }: { nextAt(now: number): number; mostBytes: number; signal: AbortSignal; everyMs?: number },
): Promise<void> {
  let due = nextAt(Date.now())
  while (!signal.aborted) {
    const wait = Math.max(0, Math.min(everyMs, due - Date.now()))
    const hasEnded = await Promise.race([
      sleep(wait, false, { signal }).catch(() => false),
      rounds.ended().then(() => true),
    ])
    if (signal.aborted) return
    if (!hasEnded && Date.now() < due && rounds.bytes() <= mostBytes) continue
    // Without success the next attempt is soon, not at once.
    due = (await rounds.renew()) ? nextAt(Date.now()) : Date.now() + everyMs
    if (hasEnded) await sleep(everyMs, null, { signal }).catch(() => null)
  }
}

function sizeOf(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    // It may be gone by now.
    bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}
