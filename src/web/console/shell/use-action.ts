import { useState } from 'react'
import { officerErrorMessage } from './call-as-officer.ts'

export interface Action {
  /** The name of the running action. */
  busy: string | null
  failure: string | null
  /** The success message. */
  done: string
  /** Another action was requested while one was running, and was ignored. */
  wasIgnored: boolean
  /** Runs one action at a time and ignores others meanwhile. Resolves to whether it succeeded; `success` is then shown. */
  run(name: string, act: () => Promise<unknown>, success?: string): Promise<boolean>
  /** Shows a success message for something done elsewhere, such as by a form. */
  showDone(done: string): void
}

/** The busy, failed and done states of a page's actions. @param explain returns the error message for a failure */
export function useAction(explain: (failure: unknown) => string = officerErrorMessage): Action {
  const [state, setState] = useState<Omit<Action, 'run' | 'showDone'>>({
    busy: null,
    failure: null,
    done: '',
    wasIgnored: false,
  })

  async function run(name: string, act: () => Promise<unknown>, success = ''): Promise<boolean> {
    if (state.busy !== null) {
      if (state.busy !== name) setState((before) => ({ ...before, wasIgnored: true }))
      return false
    }
    setState({ busy: name, failure: null, done: '', wasIgnored: false })
    try {
      await act()
      setState((before) => ({ ...before, busy: null, done: success }))
      return true
    } catch (cause) {
      setState((before) => ({ ...before, busy: null, failure: explain(cause) }))
      return false
    }
  }

  return { ...state, run, showDone: (done) => setState((before) => ({ ...before, failure: null, done })) }
}
