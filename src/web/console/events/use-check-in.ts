import { useCallback, useEffect, useRef, useState } from 'react'
import { readDoorList, sendDoorMarks, type DoorList } from '#contract/console-rsvp.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { localStore } from '#web/features/auth/browser-storage.ts'
import { DOOR_LIST as KEY } from '#web/features/auth/door-kept.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { afterAnswer, countUnsent, nextBatch, readKept, writeKept, type KeptDoor } from './door.rules.ts'

const AGAIN_MS = 15_000
const FORGET_MS = 3 * 86_400_000

export interface Door {
  /** null before the list was heard or found on this phone. */
  kept: KeptDoor | null
  isOffline: boolean
  /** Why the site took nothing, when it is not the network. */
  failure: string | null
  mark(rsvpId: string, arrived: number): void
  addWalkIn(name: string, guests: number): void
  /** Takes over a list that came with another answer. */
  setList(list: DoorList): void
  look(): void
}

/** The list of one door: kept on this phone, brought up to date while there is a network, and what was done here sent when there is one again. */
export function useDoor(eventId: string): Door {
  const [kept, setKept] = useState<KeptDoor | null>(null)
  const [isOffline, setOffline] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const current = useRef<KeptDoor | null>(null)
  const isBusy = useRef(false)

  const keep = useCallback(
    (next: KeptDoor) => {
      current.current = next
      setKept(next)
      localStore.set(KEY + eventId, writeKept(next))
    },
    [eventId],
  )

  const talk = useCallback(async () => {
    if (isBusy.current) return
    isBusy.current = true
    try {
      do {
        const before = current.current
        const params = { id: eventId }
        const sent = before ? nextBatch(before) : { walkIns: [], marks: [] }
        const isNews = sent.walkIns.length + sent.marks.length > 0
        const list = isNews
          ? await callAsOfficer(sendDoorMarks, { params, body: sent })
          : await callAsOfficer(readDoorList, { params })
        const now = current.current ?? { list, walkIns: [], marks: [], heardAt: 0 }
        keep(afterAnswer(now, sent, { list, heardAt: Date.now() }))
        setOffline(false)
        setFailure(null)
      } while (current.current && countUnsent(current.current) > 0)
    } catch (cause) {
      const isNetwork = cause instanceof CallFailure && (cause.kind === 'network' || (cause.status ?? 0) >= 500)
      setOffline(isNetwork)
      setFailure(isNetwork ? null : explainToOfficer(cause))
    } finally {
      isBusy.current = false
    }
  }, [eventId, keep])

  useEffect(() => {
    forgetOldDoors(Date.now())
    const found = readKept(localStore.get(KEY + eventId))
    if (found) keep(found)
    const look = () => void talk()
    look()
    const timer = setInterval(look, AGAIN_MS)
    window.addEventListener('online', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', look)
    }
  }, [eventId, keep, talk])

  function add(change: (kept: KeptDoor) => KeptDoor) {
    if (!current.current) return
    keep(change(current.current))
    void talk()
  }

  const newMark = (rsvpId: string, arrived: number) => ({ id: crypto.randomUUID(), rsvpId, arrived, at: Date.now() })

  return {
    kept,
    isOffline,
    failure,
    mark: (rsvpId, arrived) => add((door) => ({ ...door, marks: [...door.marks, newMark(rsvpId, arrived)] })),
    addWalkIn(name, guests) {
      const id = crypto.randomUUID()
      add((door) => ({
        ...door,
        walkIns: [...door.walkIns, { id, name, guests }],
        marks: [...door.marks, newMark(id, guests + 1)],
      }))
    },
    setList: (list) => add((door) => ({ ...door, list, heardAt: Date.now() })),
    look: () => void talk(),
  }
}

/** Lists of doors of days ago, unless something of them was never sent. */
function forgetOldDoors(now: number): void {
  for (const key of localStore.keys().filter((one) => one.startsWith(KEY))) {
    const kept = readKept(localStore.get(key))
    if (!kept || (countUnsent(kept) === 0 && kept.heardAt < now - FORGET_MS)) localStore.remove(key)
  }
}
