import { useCallback, useEffect, useRef, useState } from 'react'
import {
  getRollOver,
  saveRollOver,
  type RollOver,
  type RollOverPlan,
  type RollOverStanding,
} from '#contract/console-roll-over.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'

const PAUSE_MS = 700

export type Keeping = 'kept' | 'waiting' | 'failed'

export interface RollOverEditor {
  /** As the site answered last: what the plan as it was kept would do. */
  rollOver: RollOver
  /** As it stands on this page. */
  plan: RollOverPlan
  /** Raised whenever all fields take new values at once. */
  edition: number
  keeping: Keeping
  failure: string | null
  /** Somebody else changed the plan while this page was open. */
  theirs: RollOver | null
  change(next: (plan: RollOverPlan) => RollOverPlan): void
  /** Keeps what is not kept yet. False when it could not. */
  flush(): Promise<boolean>
  takeTheirs(): void
  keepMine(): void
}

/** A plan under somebody's hands: what is typed is kept by the site once the typing pauses, and by this browser until then. */
export function useRollOver(first: RollOver, onStanding: (standing: RollOverStanding) => void): RollOverEditor {
  const [found] = useState(() => findUnsaved(first.id))
  const [rollOver, setRollOver] = useState(first)
  const [plan, setPlan] = useState(found && found.version === first.version ? found.plan : first.plan)
  const [edition, setEdition] = useState(0)
  const [keeping, setKeeping] = useState<Keeping>(plan === first.plan ? 'kept' : 'waiting')
  const [failure, setFailure] = useState<string | null>(null)
  const [theirs, setTheirs] = useState<RollOver | null>(found && found.version !== first.version ? first : null)
  // `isContested`: nothing is sent before it is settled whose plan it is.
  const latest = useRef({
    plan: found?.plan ?? plan,
    kept: first.plan,
    version: first.version,
    isContested: theirs !== null,
  })
  const sending = useRef<Promise<boolean> | null>(null)
  const tell = useRef(onStanding)
  useEffect(() => {
    tell.current = onStanding
  })

  const send = useCallback(async (): Promise<boolean> => {
    const { plan: mine, version } = latest.current
    try {
      const standing = await callAsOfficer(saveRollOver, { params: { id: first.id }, body: { version, plan: mine } })
      const { current } = standing
      if (!current) return false
      Object.assign(latest.current, { kept: mine, version: current.version })
      setRollOver(current)
      setFailure(null)
      if (latest.current.plan !== mine) return true
      forgetUnsaved(first.id)
      setKeeping('kept')
      return true
    } catch (cause) {
      setKeeping('failed')
      if (cause instanceof CallFailure && cause.code === 'CHANGED_MEANWHILE') {
        const standing = await callAsOfficer(getRollOver).catch(() => null)
        if (standing?.current?.id === first.id && standing.current.state === 'draft') {
          latest.current.isContested = true
          setTheirs(standing.current)
        } else if (standing) tell.current(standing)
        return false
      }
      setFailure(explainToOfficer(cause))
      return false
    }
  }, [first.id])

  const flush = useCallback(async (): Promise<boolean> => {
    while (sending.current) await sending.current
    if (latest.current.isContested) return false
    while (latest.current.plan !== latest.current.kept) {
      sending.current = send()
      const worked = await sending.current
      sending.current = null
      if (!worked) return false
    }
    return true
  }, [send])

  useEffect(() => {
    if (keeping !== 'waiting' || theirs) return
    const timer = setTimeout(() => void flush(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [keeping, theirs, plan, flush])

  const change = useCallback(
    (next: (plan: RollOverPlan) => RollOverPlan) => {
      const changed = next(latest.current.plan)
      latest.current.plan = changed
      setPlan(changed)
      setKeeping('waiting')
      keepUnsaved(first.id, { version: latest.current.version, plan: changed })
    },
    [first.id],
  )

  return {
    rollOver,
    plan,
    edition,
    keeping,
    failure,
    theirs,
    change,
    flush,
    takeTheirs() {
      if (!theirs) return
      latest.current = { plan: theirs.plan, kept: theirs.plan, version: theirs.version, isContested: false }
      forgetUnsaved(first.id)
      setRollOver(theirs)
      setPlan(theirs.plan)
      setEdition((before) => before + 1)
      setKeeping('kept')
      setTheirs(null)
    },
    keepMine() {
      if (!theirs) return
      Object.assign(latest.current, { version: theirs.version, isContested: false })
      setPlan(latest.current.plan)
      setEdition((before) => before + 1)
      setTheirs(null)
      setKeeping('waiting')
    },
  }
}

interface Unsaved {
  version: number
  plan: RollOverPlan
}

const keyOf = (id: string) => `console-unsaved:roll-over/${id}`

function keepUnsaved(id: string, unsaved: Unsaved): void {
  try {
    localStorage.setItem(keyOf(id), JSON.stringify(unsaved))
  } catch {
    // A browser that keeps nothing still plans; the site keeps it a moment later.
  }
}

function findUnsaved(id: string): Unsaved | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null') as Unsaved | null
  } catch {
    return null
  }
}

function forgetUnsaved(id: string): void {
  try {
    localStorage.removeItem(keyOf(id))
  } catch {
    // There was nothing to forget.
  }
}
