import { dateFormat } from '#contract/formatters.ts'
import { useRef, useState } from 'react'
import { autosaveProblem } from '../forms/autosave-problem.ts'

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
        (failure: unknown) => setState((before) => ({ ...before, problem: autosaveProblem(failure) })),
      )
      await running.current
      running.current = null
    },
  }
}

function timeOfDay(): string {
  return dateFormat({ timeStyle: 'short' }).format(new Date())
}
