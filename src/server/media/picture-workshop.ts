import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import type { Log } from '../platform/logger.ts'
import { Problem } from '../platform/problem.ts'
import type { PreparedPicture } from './media-store.ts'
import { PICTURE_NEEDS_TOO_MUCH, PICTURE_TAKES_TOO_LONG, RefusedPicture } from './refused-picture.ts'
import type { PictureAnswer, PictureOrder, PictureTask } from './picture-worker.ts'

/** The worker's heap, stacks and pictures (RLIMIT_DATA); of these about 60 MB are only reserved. */
const WORKER_MEMORY_KB = 350 * 1024
/** Ten officers at once, and some room. Each may leave 25 MB on the disk until its turn. */
const MOST_WAITING = 16
/** Whoever would wait longer is asked to come again: the proxies in `deploy/` wait for an answer a little longer than both times together. */
export const LONGEST_WAIT_MS = 200_000
export const LONGEST_WORK_MS = 60_000
/** What a process that was killed left behind is removed after this. */
const FORGOTTEN_AFTER_MS = 3_600_000

const WORKER = join(import.meta.dirname, 'picture-worker.ts')
const NODE_OPTIONS = ['--max-old-space-size=64', '--max-semi-space-size=2', '--expose-gc']
/**
 * In a shell, since Node sets no limits. An allocation beyond the limit fails within the worker; where there is no such limit and the machine itself runs
 * out of memory, the worker is ended rather than the site.
 */
const LIMITED = 'echo 1000 2>/dev/null >/proc/self/oom_score_adj; ulimit -d "$1" 2>/dev/null; shift; exec "$@"'
/** Signals by which a process ends that got no more memory. */
const ENDS_WITHOUT_MEMORY = ['SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGBUS', 'SIGKILL', 'SIGILL']

/** A place in the queue, with a folder for what arrives meanwhile. */
export interface Turn {
  /** Where the picture is written before it is worked on; removed at the end. */
  source: string
  /**
   * Waits for its turn, makes the files and hands them to `keep`, all before the next one begins.
   * @throws RefusedPicture, Problem PICTURES_BUSY, Problem UNAVAILABLE when the site ends
   */
  prepare<T>(
    task: Exclude<PictureTask, { kind: 'preview' }>,
    keep: (picture: PreparedPicture) => Promise<T>,
  ): Promise<T>
  preview(): Promise<PicturePreview>
}

export interface PicturePreview {
  width: number
  height: number
  preview: string
}

/** Works on one picture at a time, each in a process of its own with its own memory limit. */
export interface PictureWorkshop {
  /**
   * @param options `ticket` is a name by which `ahead` finds it; what is `small` goes before uploads
   * @throws Problem PICTURES_BUSY when too many wait already
   */
  withTurn<T>(options: { ticket?: string; small?: boolean }, act: (turn: Turn) => Promise<T>): Promise<T>
  /** How many pictures come before this one: 0 while it is worked on, null for one that is not here. */
  ahead(ticket: string): number | null
  /** Refuses what waits and ends what is worked on. */
  close(): void
}

interface Waiting {
  ticket: string | undefined
  isSmall: boolean
  begin(): void
  refuse(problem: Problem): void
}

/** @param directory on a disk: in memory, what waits would count against the site's limit */
export function createPictureWorkshop({ directory, log }: { directory: string; log: Log }): PictureWorkshop {
  const waiting: Waiting[] = []
  const tickets = new Set<string>()
  const stop = new AbortController()
  let taken = 0
  let isBusy = false

  function beginNext(): void {
    const next = waiting.find(({ isSmall }) => isSmall) ?? waiting[0]
    if (isBusy || !next) return
    isBusy = true
    waiting.splice(waiting.indexOf(next), 1)
    next.begin()
  }

  /** @throws Problem PICTURES_BUSY, UNAVAILABLE */
  async function myTurn({ ticket, isSmall }: Pick<Waiting, 'ticket' | 'isSmall'>): Promise<void> {
    if (stop.signal.aborted) throw new Problem('UNAVAILABLE')
    const { promise, resolve: begin, reject: refuse } = Promise.withResolvers<void>()
    const one: Waiting = { ticket, isSmall, begin, refuse }
    waiting.push(one)
    const patience = setTimeout(() => {
      const at = waiting.indexOf(one)
      if (at === -1) return
      waiting.splice(at, 1)
      refuse(new Problem('PICTURES_BUSY'))
    }, LONGEST_WAIT_MS)
    beginNext()
    await promise.finally(() => clearTimeout(patience))
  }

  async function inTurn<T>(place: Pick<Waiting, 'ticket' | 'isSmall'>, act: () => Promise<T>): Promise<T> {
    await myTurn(place)
    try {
      return await act()
    } finally {
      isBusy = false
      beginNext()
    }
  }

  async function order(wish: PictureOrder): Promise<Exclude<PictureAnswer, { kind: 'refused' }>> {
    const answer = await runWorker(wish, { log, signal: stop.signal })
    if (answer.kind === 'refused') throw new RefusedPicture(answer.sentence)
    return answer
  }

  return {
    async withTurn({ ticket, small: isSmall = false }, act) {
      if (taken >= MOST_WAITING && !isSmall) throw new Problem('PICTURES_BUSY')
      taken++
      if (ticket) tickets.add(ticket)
      let folder = ''
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        if (taken === 1) await removeForgotten(directory)
        folder = await mkdtemp(join(directory, 'one-'))
        const [source, into] = [join(folder, 'picture'), join(folder, 'made')]
        await mkdir(into)
        const place = { ticket, isSmall }
        return await act({
          source,
          prepare: (task, keep) =>
            inTurn(place, async () => {
              const answer = await order({ ...task, source, into })
              if (answer.kind !== 'prepared') throw new Error('The picture worker answered another question')
              const { filename } = answer
              const files = await Promise.all(
                answer.files.map(async (file) => ({ ...file, bytes: await readFile(join(into, file.name)) })),
              )
              return keep({ filename, files })
            }),
          preview: () =>
            inTurn(place, async () => {
              const answer = await order({ kind: 'preview', source, into })
              if (answer.kind !== 'preview') throw new Error('The picture worker answered another question')
              const { width, height, preview } = answer
              return { width, height, preview }
            }),
        })
      } finally {
        taken--
        if (ticket) tickets.delete(ticket)
        if (folder) await rm(folder, { recursive: true, force: true })
        // Of the last one: whoever looks into the data folder finds no empty one.
        if (taken === 0) await rmdir(directory).catch(() => {})
      }
    },

    ahead(ticket) {
      const at = waiting.findIndex((one) => one.ticket === ticket)
      if (at === -1) return tickets.has(ticket) ? 0 : null
      return at + (isBusy ? 1 : 0)
    },

    close() {
      stop.abort()
      for (const { refuse } of waiting.splice(0)) refuse(new Problem('UNAVAILABLE'))
    },
  }
}

/** Writes what is in memory to where the worker reads it. */
export async function writeSource({ source }: Turn, bytes: Buffer): Promise<void> {
  await writeFile(source, bytes)
}

/** @throws RefusedPicture when it was ended for what the picture needs, Problem UNAVAILABLE when the site ends */
async function runWorker(
  wish: PictureOrder,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<PictureAnswer> {
  const limit = WORKER_MEMORY_KB + (await reservedForCodeKb())
  const words = [String(limit), process.execPath, ...NODE_OPTIONS, WORKER, JSON.stringify(wish)]
  // Of the environment nothing that is secret: this process reads what strangers made.
  const compiled = getCompileCacheDir()
  const worker = spawn('/bin/sh', ['-c', LIMITED, 'sh', ...words], {
    env: { ...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }), MALLOC_ARENA_MAX: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  worker.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  worker.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)))
  // It may be gone before its standard input is closed.
  worker.stdin.on('error', () => {})
  let isTooSlow = false
  const end = () => worker.kill('SIGKILL')
  const clock = setTimeout(() => {
    isTooSlow = true
    end()
  }, LONGEST_WORK_MS)
  signal.addEventListener('abort', end)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | null; by: string | null }>()
  worker.once('error', reject)
  worker.once('close', (status, by) => resolve({ status, by }))
  try {
    const { status, by } = await promise
    if (signal.aborted) throw new Problem('UNAVAILABLE')
    if (status === 0) return JSON.parse(output) as PictureAnswer
    log.warn({ task: wish.kind, status, signal: by, isTooSlow }, 'a picture was given up')
    if (isTooSlow) throw new RefusedPicture(PICTURE_TAKES_TOO_LONG)
    if (endedWithoutMemory({ status, by, errors })) throw new RefusedPicture(PICTURE_NEEDS_TOO_MUCH)
    throw new Error(`The picture worker ended with ${status ?? by}: ${errors}`)
  } finally {
    clearTimeout(clock)
    signal.removeEventListener('abort', end)
  }
}

/** What V8 sets aside for compiled code counts as used though next to nothing of it is: 512 MB on most machines. As large in the worker as here. */
async function reservedForCodeKb(): Promise<number> {
  const maps = await readFile('/proc/self/maps', 'latin1').catch(() => '')
  const sizes = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp/gm)].map(
    ([, from = '', to = '']) => Number.parseInt(to, 16) - Number.parseInt(from, 16),
  )
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1_024)
}

/** A shell tells the signal of what it ran as 128 and its number. */
function endedWithoutMemory({ status, by, errors }: { status: number | null; by: string | null; errors: string }) {
  if (by !== null) return ENDS_WITHOUT_MEMORY.includes(by)
  return (status ?? 0) > 128 || /out of memory|Cannot allocate|bad_alloc|ENOMEM|failed to allocate/i.test(errors)
}

async function removeForgotten(directory: string): Promise<void> {
  const before = Date.now() - FORGOTTEN_AFTER_MS
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs < before) await rm(path, { recursive: true, force: true })
  }
}
