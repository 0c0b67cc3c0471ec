import { readdir, readFile } from 'node:fs/promises'
import { constants, getPriority, setPriority } from 'node:os'

const THREADS = '/proc/self/task'
/** The name of libuv's pool threads. */
const POOL_THREAD_NAME = 'libuv-worker'
/** Added to the niceness of the event loop, see setpriority(2): pool threads get about a tenth of a core when the event loop needs all of it. */
const NICENESS_OFFSET = 10

/**
 * Lowers the priority of libuv's pool threads so that password hashing doesn't starve the event loop. Linux only, where each thread has its own priority;
 * elsewhere, or where not permitted, it is a no-op.
 */
export async function lowerThreadPoolPriority(): Promise<void> {
  // The pool starts all its threads with its first task, which this read is.
  const niceness = Math.min(getPriority() + NICENESS_OFFSET, constants.priority.PRIORITY_LOW)
  const threads = await readdir(THREADS).catch(() => [])
  for (const thread of threads) {
    try {
      const name = await readFile(`${THREADS}/${thread}/comm`, 'utf8')
      if (name.trim() === POOL_THREAD_NAME) setPriority(Number(thread), niceness)
    } catch {
      // The thread ended, or the container forbids the call: keep the default priority.
    }
  }
}
