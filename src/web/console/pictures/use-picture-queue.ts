import { useEffect, useRef, useState } from 'react'
import { getPictureQueue } from '#contract/console-media.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'

const LOOK_EVERY_MS = 2_000

/** Where a picture that is being sent stands: the site prepares one at a time. */
export function usePictureQueue(): {
  /** Empty until there is something to tell. */
  words: string
  /** Begins to look, and returns the name under which the upload is found. */
  begin(): string
  end(): void
} {
  const [words, setWords] = useState('')
  const timer = useRef<ReturnType<typeof setInterval> | undefined>(undefined)

  function end(): void {
    clearInterval(timer.current)
    setWords('')
  }
  useEffect(() => () => clearInterval(timer.current), [])

  return {
    words,
    begin() {
      end()
      // `randomUUID` is there on secure pages alone.
      const ticket = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('')
      timer.current = setInterval(() => {
        callAsOfficer(getPictureQueue, { query: { ticket } }).then(
          ({ ahead }) => setWords(wordsFor(ahead)),
          // It is only news of the upload, whose own answer counts.
          () => {},
        )
      }, LOOK_EVERY_MS)
      return ticket
    },
    end,
  }
}

/** null: it has not arrived, or another instance has it. */
function wordsFor(ahead: number | null): string {
  if (ahead === null) return ''
  if (ahead === 0) return 'It has arrived and is being prepared.'
  return ahead === 1
    ? 'It has arrived. Another picture is being prepared before it.'
    : `It has arrived. ${ahead} other pictures are being prepared before it.`
}
