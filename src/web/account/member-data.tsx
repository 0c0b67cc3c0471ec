import { useCallback, useEffect, useState } from 'react'
import { CallFailure } from '#web/api/call-failure.ts'
import { TryAgain } from './try-again.tsx'

type Loaded<T> =
  | { step: 'loading' }
  | { step: 'failed' }
  /** An officer views the site as this member, and their role cannot see this. */
  | { step: 'hidden'; sentence: string }
  | { step: 'shown'; value: T }

export type MemberData<T> = Loaded<T> & { load(): Promise<void> }

/**
 * What a box of the account loads by itself.
 * @param read the same function at each render
 * @param version loads again when it changes
 */
export function useMemberData<T>(read: () => Promise<T>, version?: unknown): MemberData<T> {
  const [state, setState] = useState<Loaded<T>>({ step: 'loading' })

  const load = useCallback(async () => setState(await outcomeOf(read)), [read])

  useEffect(() => {
    let isWanted = true
    void outcomeOf(read).then((next) => isWanted && setState(next))
    return () => {
      isWanted = false
    }
  }, [read, version])

  return { ...state, load }
}

/** Why the data is not shown; nothing if it is. */
export function MemberDataProblem({
  state,
  what,
}: {
  state: MemberData<unknown>
  /** As in "Your payments". */ what: string
}) {
  if (state.step === 'hidden') return <p className="box-body">{state.sentence}</p>
  if (state.step !== 'failed') return null
  return (
    <div className="box-body">
      <TryAgain message={`${what} could not be loaded. Please check your connection.`} onRetry={state.load} />
    </div>
  )
}

async function outcomeOf<T>(read: () => Promise<T>): Promise<Loaded<T>> {
  try {
    return { step: 'shown', value: await read() }
  } catch (failure) {
    const { code, message } = failure instanceof CallFailure ? failure : {}
    return code === 'VIEW_HIDES' ? { step: 'hidden', sentence: message ?? '' } : { step: 'failed' }
  }
}
