import { useEffect, useState } from 'react'
import { limits } from '#contract/limits.ts'
import type { MembershipLevel } from '#contract/membership.ts'
import { fetchAnswer } from '#web/api/fetch-list.ts'
import { pause } from '#web/api/pause.ts'

// The contract's object would bring its checks along: the path alone is enough here.
const LEVELS_PATH = '/api/membership-levels'

export interface Levels {
  /** `failed`: nobody could join now, so what the server had rendered gives way. */
  step: 'loading' | 'ready' | 'failed'
  levels: MembershipLevel[]
  reload(): void
}

/** The server's levels at once; on mount the browser asks and the fresh answer wins. */
export function useLevels(fromServer: MembershipLevel[]): Levels {
  const [state, setState] = useState<Pick<Levels, 'step' | 'levels'>>({ step: 'loading', levels: fromServer })
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    let isCurrent = true
    loadLevels().then(
      (levels) => isCurrent && setState({ step: 'ready', levels }),
      () => isCurrent && setState({ step: 'failed', levels: [] }),
    )
    return () => {
      isCurrent = false
    }
  }, [attempt])

  function reload() {
    setState({ step: 'loading', levels: [] })
    setAttempt(attempt + 1)
  }

  return { ...state, reload }
}

/** Probed, then fetched; two more tries, a second apart. */
async function loadLevels(): Promise<MembershipLevel[]> {
  for (let retries = 0; ; retries++) {
    try {
      await fetchAnswer(LEVELS_PATH, readLevels)
      return await fetchAnswer(LEVELS_PATH, readLevels)
    } catch (failure) {
      if (retries === limits.levels.retries) throw failure
      await pause(limits.levels.retryDelayMs)
    }
  }
}

function readLevels(answer: unknown): MembershipLevel[] | undefined {
  if (!Array.isArray(answer)) return undefined
  const levels = answer.filter(isLevel)
  // Of levels none of which can be shown nobody may say that there are none.
  return levels.length > 0 || answer.length === 0 ? levels : undefined
}

/** What the plans cannot be shown without. */
function isLevel(item: unknown): item is MembershipLevel {
  const { key, name, unitAmount } = (item ?? {}) as Partial<MembershipLevel>
  return typeof key === 'string' && typeof name === 'string' && typeof unitAmount === 'number'
}
