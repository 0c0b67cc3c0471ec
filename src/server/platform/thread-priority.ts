import { readdir, readFile } from 'node:fs/promises'
import { constants, getPriority, setPriority } from 'node:os'

const THREADS = '/proc/self/task'
/** How libuv names the threads of its pool. */
const POOL = 'libuv-worker'
/** By so much nicer than the event loop, as in setpriority(2): a tenth of a core where the event loop wants all of it, all that is free otherwise. */
const NICER_BY = 10

/**
 * Lets answers go before what Node does beside them: passwords are checked on the threads of its pool, and while many log in they would take the cores from whoever
 * asks for a page. To Linux each thread has a priority of its own; elsewhere, and where it may not be set, all stay equal.
 */
export async function favourAnswers(): Promise<void> {
  // The pool has all its threads from its first work on, and this reading is work.
  const niceness = Math.min(getPriority() + NICER_BY, constants.priority.PRIORITY_LOW)
  const threads = await readdir(THREADS).catch(() => [])
  for (const thread of threads) {
    try {
      const name = await readFile(`${THREADS}/${thread}/comm`, 'utf8')
      if (name.trim() === POOL) setPriority(Number(thread), niceness)
    } catch {
      // It ended meanwhile, or a container allows no such call: then it is as quick as all the others.
    }
  }
}
