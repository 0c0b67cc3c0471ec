import { useState } from 'react'
import { explainToOfficer } from './console-door.ts'

export interface Action {
  /** Which of several is under way. */
  busy: string | null
  failure: string | null
  /** What was done, for a status line. */
  done: string
  /** Another button was pressed while one was busy: it did nothing. */
  isMissed: boolean
  /** Does one thing at a time, and says so where another is asked for meanwhile; `success` is said afterwards. Answers whether it worked. */
  run(name: string, act: () => Promise<unknown>, success?: string): Promise<boolean>
  /** Says what was done another way, such as by a form. */
  say(done: string): void
}

/** Buttons that do something at the server: busy, failed, done. @param explain puts a failure into words */
export function useAction(explain: (failure: unknown) => string = explainToOfficer): Action {
  const [state, setState] = useState<Omit<Action, 'run' | 'say'>>({
    busy: null,
    failure: null,
    done: '',
    isMissed: false,
  })

  async function run(name: string, act: () => Promise<unknown>, success = ''): Promise<boolean> {
    if (state.busy !== null) {
      if (state.busy !== name) setState((before) => ({ ...before, isMissed: true }))
      return false
    }
    setState({ busy: name, failure: null, done: '', isMissed: false })
    try {
      await act()
      setState((before) => ({ ...before, busy: null, done: success }))
      return true
    } catch (cause) {
      setState((before) => ({ ...before, busy: null, failure: explain(cause) }))
      return false
    }
  }

  return { ...state, run, say: (done) => setState((before) => ({ ...before, failure: null, done })) }
}
