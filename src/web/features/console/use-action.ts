import { useState } from 'react'
import { explainToOfficer } from './console-door.ts'

export interface Action {
  /** Which of several is under way. */
  busy: string | null
  failure: string | null
  /** What was done, for a status line. */
  done: string
  /** Does one thing at a time; `success` is said afterwards. Answers whether it worked. */
  run(name: string, act: () => Promise<unknown>, success?: string): Promise<boolean>
}

/** Buttons that do something at the server: busy, failed, done. @param explain puts a failure into words */
export function useAction(explain: (failure: unknown) => string = explainToOfficer): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({ busy: null, failure: null, done: '' })

  async function run(name: string, act: () => Promise<unknown>, success = ''): Promise<boolean> {
    if (state.busy !== null) return false
    setState({ busy: name, failure: null, done: '' })
    try {
      await act()
      setState({ busy: null, failure: null, done: success })
      return true
    } catch (cause) {
      setState({ busy: null, failure: explain(cause), done: '' })
      return false
    }
  }

  return { ...state, run }
}
