import { useRef, useState } from 'react'
import { CallFailure } from '#web/api/call-failure.ts'
import { officerErrorMessage } from '../shell/call-as-officer.ts'

export interface Upload {
  id: number
  name: string
  state: 'waiting' | 'sending' | 'done' | 'failed'
  /** What happens to it now. */
  status: string
  /** Why it failed. */
  problem: string
}

/** One file is prepared on the server while the next is resized and sent. */
const AT_ONCE = 2

/** Uploads many files, each on its own: one that fails does not stop the others, and can be tried again. */
export function useUploads(send: (file: File, report: (status: string) => void) => Promise<void>) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const files = useRef(new Map<number, File>())
  const queue = useRef<number[]>([])
  const running = useRef(0)
  const nextId = useRef(1)

  function change(id: number, part: Partial<Upload>) {
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)))
  }

  async function runNext(): Promise<void> {
    const id = queue.current.shift()
    const file = id === undefined ? undefined : files.current.get(id)
    if (id === undefined || !file) return
    running.current++
    change(id, { state: 'sending', status: 'Uploading…', problem: '' })
    try {
      await send(file, (status) => change(id, { status }))
      files.current.delete(id)
      change(id, { state: 'done' })
    } catch (failure) {
      change(id, { state: 'failed', problem: problemOf(failure) })
    } finally {
      running.current--
      void runNext()
    }
  }

  function enqueue(ids: readonly number[]) {
    queue.current.push(...ids)
    while (running.current < AT_ONCE && queue.current.length > 0) void runNext()
  }

  return {
    uploads,
    add(added: readonly File[]) {
      const next = added.map((file) => {
        const id = nextId.current++
        files.current.set(id, file)
        return { id, name: file.name, state: 'waiting' as const, status: '', problem: '' }
      })
      setUploads((before) => [...before.filter(({ state }) => state !== 'done'), ...next])
      enqueue(next.map(({ id }) => id))
    },
    retry(id: number) {
      change(id, { state: 'waiting', problem: '' })
      enqueue([id])
    },
    dismiss(id: number) {
      files.current.delete(id)
      setUploads((before) => before.filter((upload) => upload.id !== id))
    },
  }
}

function problemOf(failure: unknown): string {
  const fields = (failure instanceof CallFailure && failure.fieldErrors) || {}
  if (failure instanceof CallFailure) return Object.values(fields)[0] ?? officerErrorMessage(failure)
  return failure instanceof Error && failure.message ? failure.message : officerErrorMessage(failure)
}
