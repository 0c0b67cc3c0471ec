import { dateFormat } from '#contract/formatters.ts'
import { useRef, useState } from 'react'
import { CallFailure } from '#web/api/call-failure.ts'

/** Saves in the background, one save at a time; what was sent once is not sent again. */
export function useAutosave() {
  const [state, setState] = useState<{ savedAt: string | null; problem: string | null }>({
    savedAt: null,
    problem: null,
  })
  const sent = useRef<unknown>(null)
  const running = useRef<Promise<void> | null>(null)

  return {
    ...state,
    isSaving: () => running.current !== null,
    /** Resolves once no save is running. */
    finished: async () => running.current,
    /** Forgets the last save, once the officer saved or replaced the draft. */
    clear: () => setState({ savedAt: null, problem: null }),
    wasSent: (value: unknown) => sent.current === value,
    async run(value: unknown, save: () => Promise<void>): Promise<void> {
      sent.current = value
      running.current = save().then(
        () => setState({ savedAt: timeOfDay(), problem: null }),
        (failure: unknown) => setState((before) => ({ ...before, problem: problemOf(failure) })),
      )
      await running.current
      running.current = null
    },
  }
}

function problemOf(failure: unknown): string {
  const [first] = Object.values((failure instanceof CallFailure && failure.fieldErrors) || {})
  return first === undefined ? 'Draft not saved yet. It is kept on this device.' : `Draft not saved: ${first}.`
}

function timeOfDay(): string {
  return dateFormat({ timeStyle: 'short' }).format(new Date())
}
