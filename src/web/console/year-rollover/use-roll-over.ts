import { useCallback, useEffect, useRef, useState } from 'react'
import {
  getRollOver,
  saveRollOver,
  type RollOver,
  type RollOverPlan,
  type RollOverStatus,
} from '#contract/console/roll-over.ts'
import { readDraft, storeDraft } from '../forms/draft-storage.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { isEditConflict } from '../shell/save-as-officer.ts'

const PAUSE_MS = 700

export type SaveStatus = 'kept' | 'waiting' | 'failed'

export interface RollOverEditor {
  /** The last response: the saved plan with its effects. */
  rollOver: RollOver
  /** The plan on this page, including unsaved changes. */
  plan: RollOverPlan
  /** Incremented to remount all fields with new values. */
  edition: number
  saveStatus: SaveStatus
  failure: string | null
  /** The newer version another officer saved while this page was open. */
  theirs: RollOver | null
  change(next: (plan: RollOverPlan) => RollOverPlan): void
  /** Saves pending changes. Resolves to false on failure. */
  flush(): Promise<boolean>
  takeTheirs(): void
  keepMine(): void
}

/** The editor state of a plan. Saves after a pause, and stores unsaved input in this browser until then. */
export function useRollOver(first: RollOver, onStatus: (status: RollOverStatus) => void): RollOverEditor {
  const [found] = useState(() => findUnsaved(first.id))
  const [rollOver, setRollOver] = useState(first)
  const [plan, setPlan] = useState(found && found.version === first.version ? found.value : first.plan)
  const [edition, setEdition] = useState(0)
  const [keeping, setKeeping] = useState<SaveStatus>(plan === first.plan ? 'kept' : 'waiting')
  const [failure, setFailure] = useState<string | null>(null)
  const [theirs, setTheirs] = useState<RollOver | null>(found && found.version !== first.version ? first : null)
  // `isContested`: nothing is saved until the conflict is resolved.
  const latest = useRef({
    plan: found?.value ?? plan,
    kept: first.plan,
    version: first.version,
    isContested: theirs !== null,
  })
  const sending = useRef<Promise<boolean> | null>(null)
  const latestOnStatus = useRef(onStatus)
  useEffect(() => {
    latestOnStatus.current = onStatus
  })

  const send = useCallback(async (): Promise<boolean> => {
    const { plan: mine, version } = latest.current
    try {
      const status = await callAsOfficer(saveRollOver, { params: { id: first.id }, body: { version, plan: mine } })
      const { current } = status
      if (!current) return false
      Object.assign(latest.current, { kept: mine, version: current.version })
      setRollOver(current)
      setFailure(null)
      if (latest.current.plan !== mine) return true
      storeDraft(keyOf(first.id), null)
      setKeeping('kept')
      return true
    } catch (cause) {
      setKeeping('failed')
      if (isEditConflict(cause)) {
        const status = await callAsOfficer(getRollOver).catch(() => null)
        if (status?.current?.id === first.id && status.current.state === 'draft') {
          latest.current.isContested = true
          setTheirs(status.current)
        } else if (status) latestOnStatus.current(status)
        return false
      }
      setFailure(officerErrorMessage(cause))
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
      storeDraft(keyOf(first.id), { version: latest.current.version, value: changed })
    },
    [first.id],
  )

  return {
    rollOver,
    plan,
    edition,
    saveStatus: keeping,
    failure,
    theirs,
    change,
    flush,
    takeTheirs() {
      if (!theirs) return
      latest.current = { plan: theirs.plan, kept: theirs.plan, version: theirs.version, isContested: false }
      storeDraft(keyOf(first.id), null)
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
  value: RollOverPlan
}

const keyOf = (id: string) => `roll-over:${id}`

function findUnsaved(id: string): Unsaved | null {
  const stored = readDraft(keyOf(id))
  return typeof stored === 'object' && stored !== null && 'value' in stored ? (stored as Unsaved) : null
}
