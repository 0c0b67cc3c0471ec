import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import type { Log } from '#server/lib/logger.ts'
import { Problem } from '#server/lib/problem.ts'
import type { PreparedPicture } from '../media-store.ts'
import { PICTURE_NEEDS_TOO_MUCH_MEMORY, PICTURE_TIMED_OUT, PictureRejectedError } from './picture-rejected-error.ts'
import type { PictureResult, PictureJob, PictureTask } from './picture-worker.ts'

/** RLIMIT_DATA of the worker: heap, stacks and pictures; about 60 MB of it are only reserved. */
const WORKER_MEMORY_KB = 350 * 1024
/** Enough for ten officers at once. Each queued upload takes up to 25 MB on disk. */
const MAX_QUEUED = 16
/** The longest queue time before the upload is rejected. The proxies in `deploy/` time out a little after this plus `LONGEST_WORK_MS`. */
export const MAX_QUEUE_MS = 200_000
export const MAX_PROCESSING_MS = 60_000
/** Leftovers of a killed process are removed after this time. */
const LEFTOVER_AGE_MS = 3_600_000

const WORKER = join(import.meta.dirname, 'picture-worker.ts')
const NODE_OPTIONS = ['--max-old-space-size=64', '--max-semi-space-size=2', '--expose-gc']
/**
 * Runs the worker in a shell, because Node cannot set limits. An allocation beyond the limit fails within the worker. On systems without the limit, the OOM
 * score makes the kernel kill the worker rather than the site.
 */
const LIMITED_COMMAND = 'echo 1000 2>/dev/null >/proc/self/oom_score_adj; ulimit -d "$1" 2>/dev/null; shift; exec "$@"'
/** Signals that end a process that runs out of memory. */
const OUT_OF_MEMORY_SIGNALS = ['SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGBUS', 'SIGKILL', 'SIGILL']

/** A slot in the processing queue, with a folder for the upload. */
export interface ProcessingSlot {
  /** The file for the upload; deleted at the end. */
  source: string
  /**
   * Waits for the slot, processes the picture and calls `keep` with the files, all before the next picture starts.
   * @throws PictureRejectedError, Problem PICTURES_BUSY, Problem UNAVAILABLE if the site shuts down
   */
  prepare<T>(
    task: Exclude<PictureTask, { kind: 'preview' | 'document' }>,
    keep: (picture: PreparedPicture) => Promise<T>,
  ): Promise<T>
  preview(): Promise<PicturePreview>
  /** Checks that the upload is a PDF document without active content. @throws as `prepare` */
  inspectDocument(): Promise<{ pages: number }>
}

export interface PicturePreview {
  width: number
  height: number
  preview: string
}

/** Processes one picture at a time, each in its own process with a memory limit. */
export interface PictureQueue {
  /**
   * @param options `ticket` identifies it for `ahead`; `small` work goes before uploads
   * @throws Problem PICTURES_BUSY if the queue is full
   */
  withSlot<T>(options: { ticket?: string; small?: boolean }, act: (turn: ProcessingSlot) => Promise<T>): Promise<T>
  /** How many pictures are processed before this one: 0 while it is being processed, null if it is not in the queue. */
  position(ticket: string): number | null
  /** Rejects queued work and kills the worker. */
  close(): void
}

interface QueueEntry {
  ticket: string | undefined
  isSmall: boolean
  start(): void
  reject(problem: Problem): void
}

/** @param directory must be on disk: in memory, queued uploads would count against the site's limit */
export function createPictureQueue({ directory, log }: { directory: string; log: Log }): PictureQueue {
  const queue: QueueEntry[] = []
  const tickets = new Set<string>()
  const stop = new AbortController()
  let active = 0
  let isBusy = false

  function startNext(): void {
    const next = queue.find(({ isSmall }) => isSmall) ?? queue[0]
    if (isBusy || !next) return
    isBusy = true
    queue.splice(queue.indexOf(next), 1)
    next.start()
  }

  /** @throws Problem PICTURES_BUSY, UNAVAILABLE */
  async function waitForSlot({ ticket, isSmall }: Pick<QueueEntry, 'ticket' | 'isSmall'>): Promise<void> {
    if (stop.signal.aborted) throw new Problem('UNAVAILABLE')
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const entry: QueueEntry = { ticket, isSmall, start, reject }
    queue.push(entry)
    const timeout = setTimeout(() => {
      const at = queue.indexOf(entry)
      if (at === -1) return
      queue.splice(at, 1)
      reject(new Problem('PICTURES_BUSY'))
    }, MAX_QUEUE_MS)
    startNext()
    await promise.finally(() => clearTimeout(timeout))
  }

  async function runInSlot<T>(options: Pick<QueueEntry, 'ticket' | 'isSmall'>, act: () => Promise<T>): Promise<T> {
    await waitForSlot(options)
    try {
      return await act()
    } finally {
      isBusy = false
      startNext()
    }
  }

  async function runTask(task: PictureJob): Promise<Exclude<PictureResult, { kind: 'refused' }>> {
    const result = await runWorker(task, { log, signal: stop.signal })
    if (result.kind === 'refused') throw new PictureRejectedError(result.sentence)
    return result
  }

  return {
    async withSlot({ ticket, small: isSmall = false }, act) {
      if (active >= MAX_QUEUED && !isSmall) throw new Problem('PICTURES_BUSY')
      active++
      if (ticket) tickets.add(ticket)
      let folder = ''
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        if (active === 1) await removeLeftovers(directory)
        folder = await mkdtemp(join(directory, 'one-'))
        const [source, into] = [join(folder, 'picture'), join(folder, 'made')]
        await mkdir(into)
        const options = { ticket, isSmall }
        return await act({
          source,
          prepare: (task, keep) =>
            runInSlot(options, async () => {
              const result = await runTask({ ...task, source, into })
              if (result.kind !== 'prepared') throw new Error('The picture worker returned a result of another kind')
              const { filename } = result
              const files = await Promise.all(
                result.files.map(async (file) => ({ ...file, bytes: await readFile(join(into, file.name)) })),
              )
              return keep({ filename, files })
            }),
          preview: () =>
            runInSlot(options, async () => {
              const result = await runTask({ kind: 'preview', source, into })
              if (result.kind !== 'preview') throw new Error('The picture worker returned a result of another kind')
              const { width, height, preview } = result
              return { width, height, preview }
            }),
          inspectDocument: () =>
            runInSlot(options, async () => {
              const result = await runTask({ kind: 'document', source, into })
              if (result.kind !== 'document') throw new Error('The picture worker returned a result of another kind')
              return { pages: result.pages }
            }),
        })
      } finally {
        active--
        if (ticket) tickets.delete(ticket)
        if (folder) await rm(folder, { recursive: true, force: true })
        // Delete the empty folder after the last one.
        if (active === 0) await rmdir(directory).catch(() => {})
      }
    },

    position(ticket) {
      const at = queue.findIndex((one) => one.ticket === ticket)
      if (at === -1) return tickets.has(ticket) ? 0 : null
      return at + (isBusy ? 1 : 0)
    },

    close() {
      stop.abort()
      for (const { reject } of queue.splice(0)) reject(new Problem('UNAVAILABLE'))
    },
  }
}

/** Writes a picture that is in memory to the worker's source file. */
export async function writeSource({ source }: ProcessingSlot, bytes: Buffer): Promise<void> {
  await writeFile(source, bytes)
}

/** @throws PictureRejectedError if the picture needs too much time or memory, Problem UNAVAILABLE if the site shuts down */
async function runWorker(task: PictureJob, { log, signal }: { log: Log; signal: AbortSignal }): Promise<PictureResult> {
  const limit = WORKER_MEMORY_KB + (await reservedForCodeKb())
  const args = [String(limit), process.execPath, ...NODE_OPTIONS, WORKER, JSON.stringify(task)]
  // Pass no secrets in the environment: this process reads untrusted files.
  const compiled = getCompileCacheDir()
  const worker = spawn('/bin/sh', ['-c', LIMITED_COMMAND, 'sh', ...args], {
    env: { ...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }), MALLOC_ARENA_MAX: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  worker.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  worker.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)))
  // The worker may exit before its stdin is closed.
  worker.stdin.on('error', () => {})
  let isTooSlow = false
  const kill = () => worker.kill('SIGKILL')
  const timeout = setTimeout(() => {
    isTooSlow = true
    kill()
  }, MAX_PROCESSING_MS)
  signal.addEventListener('abort', kill)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | null; killedBy: string | null }>()
  worker.once('error', reject)
  worker.once('close', (status, killedBy) => resolve({ status, killedBy }))
  try {
    const { status, killedBy } = await promise
    if (signal.aborted) throw new Problem('UNAVAILABLE')
    if (status === 0) return JSON.parse(output) as PictureResult
    log.warn({ task: task.kind, status, signal: killedBy, isTooSlow }, 'the picture worker failed')
    if (isTooSlow) throw new PictureRejectedError(PICTURE_TIMED_OUT)
    if (ranOutOfMemory({ status, killedBy, errors })) throw new PictureRejectedError(PICTURE_NEEDS_TOO_MUCH_MEMORY)
    throw new Error(`The picture worker exited with ${status ?? killedBy}: ${errors}`)
  } finally {
    clearTimeout(timeout)
    signal.removeEventListener('abort', kill)
  }
}

/** V8's reservation for compiled code counts against the limit although it is mostly unused: 512 MB on most machines. It is the same in the worker as here. */
async function reservedForCodeKb(): Promise<number> {
  const maps = await readFile('/proc/self/maps', 'latin1').catch(() => '')
  const sizes = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp/gm)].map(
    ([, from = '', to = '']) => Number.parseInt(to, 16) - Number.parseInt(from, 16),
  )
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1_024)
}

/** A shell reports a signal of its child as exit code 128 plus the signal number. */
function ranOutOfMemory({
  status,
  killedBy,
  errors,
}: {
  status: number | null
  killedBy: string | null
  errors: string
}) {
  if (killedBy !== null) return OUT_OF_MEMORY_SIGNALS.includes(killedBy)
  return (status ?? 0) > 128 || /out of memory|Cannot allocate|bad_alloc|ENOMEM|failed to allocate/i.test(errors)
}

async function removeLeftovers(directory: string): Promise<void> {
  const cutoff = Date.now() - LEFTOVER_AGE_MS
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const stats = await stat(path).catch(() => null)
    if (stats && stats.mtimeMs < cutoff) await rm(path, { recursive: true, force: true })
  }
}
