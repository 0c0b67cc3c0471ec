import { useEffect, useState } from 'react'
import { limits } from '#contract/limits.ts'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { fetchJson } from '#web/api/fetch-list.ts'
import { delay } from '#web/api/delay.ts'

// The path alone: importing the contract's endpoint would bring in its schemas.
const LEVELS_PATH = '/api/membership-levels'

export interface Levels {
  /** `failed`: joining is impossible now, so the server-rendered levels are hidden. */
  step: 'loading' | 'ready' | 'failed'
  levels: MembershipLevel[]
  reload(): void
}

/** Starts with the server-rendered levels; on mount the browser fetches them again and the fresh response wins. */
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

/** Probes, then fetches; retries twice, a second apart. */
async function loadLevels(): Promise<MembershipLevel[]> {
  for (let retries = 0; ; retries++) {
    try {
      await fetchJson(LEVELS_PATH, readLevels)
      return await fetchJson(LEVELS_PATH, readLevels)
    } catch (failure) {
      if (retries === limits.levels.retries) throw failure
      await delay(limits.levels.retryDelayMs)
    }
  }
}

function readLevels(answer: unknown): MembershipLevel[] | undefined {
  if (!Array.isArray(answer)) return undefined
  const levels = answer.filter(isLevel)
  // If no level is usable, do not report an empty list.
  return levels.length > 0 || answer.length === 0 ? levels : undefined
}

/** The minimum a plan card needs. */
function isLevel(item: unknown): item is MembershipLevel {
  const { key, name, unitAmount } = (item ?? {}) as Partial<MembershipLevel>
  return typeof key === 'string' && typeof name === 'string' && typeof unitAmount === 'number'
}
