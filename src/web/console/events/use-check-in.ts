import { useCallback, useEffect, useRef, useState } from 'react'
import { readCheckInList, sendCheckIns, type CheckInList } from '#contract/console/rsvp.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { localStore } from '#web/session/browser-storage.ts'
import { CHECK_IN_LIST_PREFIX as KEY } from '#web/session/check-in-storage.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import {
  applyResponse,
  countUnsent,
  nextBatch,
  parseCheckIn,
  serializeCheckIn,
  type CheckInState,
} from './check-in.rules.ts'

const AGAIN_MS = 15_000
const FORGET_MS = 3 * 86_400_000

export interface CheckIn {
  /** null before the list was loaded or found on this phone. */
  state: CheckInState | null
  isOffline: boolean
  /** The server's error message; null for network failures. */
  failure: string | null
  mark(rsvpId: string, arrived: number): void
  addWalkIn(name: string, guests: number): void
  /** Sets the list from another response. */
  setList(list: CheckInList): void
  sync(): void
}

/** The check-in list of an event: stored on this phone, synced while online; offline changes are sent later. */
export function useCheckIn(eventId: string): CheckIn {
  const [kept, setKept] = useState<CheckInState | null>(null)
  const [isOffline, setOffline] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const current = useRef<CheckInState | null>(null)
  const isBusy = useRef(false)

  const keep = useCallback(
    (next: CheckInState) => {
      current.current = next
      setKept(next)
      localStore.set(KEY + eventId, serializeCheckIn(next))
    },
    [eventId],
  )

  const sync = useCallback(async () => {
    if (isBusy.current) return
    isBusy.current = true
    try {
      do {
        const before = current.current
        const params = { id: eventId }
        const sent = before ? nextBatch(before) : { walkIns: [], marks: [] }
        const hasChanges = sent.walkIns.length + sent.marks.length > 0
        const list = hasChanges
          ? await callAsOfficer(sendCheckIns, { params, body: sent })
          : await callAsOfficer(readCheckInList, { params })
        const now = current.current ?? { list, walkIns: [], marks: [], receivedAt: 0 }
        keep(applyResponse(now, sent, { list, heardAt: Date.now() }))
        setOffline(false)
        setFailure(null)
      } while (current.current && countUnsent(current.current) > 0)
    } catch (cause) {
      const isNetwork = cause instanceof CallFailure && (cause.kind === 'network' || (cause.status ?? 0) >= 500)
      setOffline(isNetwork)
      setFailure(isNetwork ? null : officerErrorMessage(cause))
    } finally {
      isBusy.current = false
    }
  }, [eventId, keep])

  useEffect(() => {
    removeOldLists(Date.now())
    const found = parseCheckIn(localStore.get(KEY + eventId))
    if (found) keep(found)
    const look = () => void sync()
    look()
    const timer = setInterval(look, AGAIN_MS)
    window.addEventListener('online', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', look)
    }
  }, [eventId, keep, sync])

  function add(change: (kept: CheckInState) => CheckInState) {
    if (!current.current) return
    keep(change(current.current))
    void sync()
  }

  const newMark = (rsvpId: string, arrived: number) => ({ id: crypto.randomUUID(), rsvpId, arrived, at: Date.now() })

  return {
    state: kept,
    isOffline,
    failure,
    mark: (rsvpId, arrived) => add((before) => ({ ...before, marks: [...before.marks, newMark(rsvpId, arrived)] })),
    addWalkIn(name, guests) {
      const id = crypto.randomUUID()
      add((before) => ({
        ...before,
        walkIns: [...before.walkIns, { id, name, guests }],
        marks: [...before.marks, newMark(id, guests + 1)],
      }))
    },
    setList: (list) => add((before) => ({ ...before, list, receivedAt: Date.now() })),
    sync: () => void sync(),
  }
}

/** Removes stored lists that are days old, unless they have unsent changes. */
function removeOldLists(now: number): void {
  for (const key of localStore.keys().filter((one) => one.startsWith(KEY))) {
    const kept = parseCheckIn(localStore.get(key))
    if (!kept || (countUnsent(kept) === 0 && kept.receivedAt < now - FORGET_MS)) localStore.remove(key)
  }
}
