import { useEffect, useRef, useState } from 'react'
import { getPictureQueue } from '#contract/console/media.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'

const LOOK_EVERY_MS = 2_000

/** The position of an upload in the server's processing queue. */
export function usePictureQueue(): {
  /** The status message; empty until there is one. */
  status: string
  /** Starts polling and returns the ticket of the upload. */
  begin(): string
  end(): void
} {
  const [status, setStatus] = useState('')
  const timer = useRef<ReturnType<typeof setInterval> | undefined>(undefined)

  function end(): void {
    clearInterval(timer.current)
    setStatus('')
  }
  useEffect(() => () => clearInterval(timer.current), [])

  return {
    status,
    begin() {
      end()
      // `randomUUID` only exists in secure contexts.
      const ticket = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('')
      timer.current = setInterval(() => {
        callAsOfficer(getPictureQueue, { query: { ticket } }).then(
          ({ ahead }) => setStatus(queueText(ahead)),
          // Only a status update: the upload's own response counts.
          () => {},
        )
      }, LOOK_EVERY_MS)
      return ticket
    },
    end,
  }
}

/** @param ahead null when the upload has not arrived, or another instance has it */
function queueText(ahead: number | null): string {
  if (ahead === null) return ''
  if (ahead === 0) return 'Uploaded. Processing…'
  return ahead === 1 ? 'Uploaded. Waiting for 1 other image.' : `Uploaded. Waiting for ${ahead} other images.`
}
