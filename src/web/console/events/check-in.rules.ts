import {
  CHECK_IN_BATCH_MAX,
  type CheckInEntry,
  type CheckInList,
  type CheckInRecord,
  type WalkIn,
} from '#contract/console/rsvp.ts'

/** The check-in state on this phone: the last list from the server, and the changes not sent yet. */
export interface CheckInState {
  list: CheckInList
  walkIns: WalkIn[]
  marks: CheckInRecord[]
  /** Epoch milliseconds when the list was received. */
  receivedAt: number
}

export function countUnsent({ walkIns, marks }: CheckInState): number {
  return walkIns.length + marks.length
}

/** The server's list with the local changes applied. */
export function currentEntries({ list, walkIns, marks }: CheckInState): CheckInEntry[] {
  const known = new Set(list.entries.map(({ id }) => id))
  const added = walkIns
    .filter(({ id }) => !known.has(id))
    .map(({ id, name, guests }): CheckInEntry => ({
      id,
      name,
      guests,
      email: null,
      meals: [],
      place: 'coming',
      arrived: 0,
      isWalkIn: true,
      code: '',
      cardHash: null,
      paid: 0,
    }))
  const latest = new Map(marks.map(({ rsvpId, arrived }) => [rsvpId, arrived]))
  return [...list.entries, ...added]
    .map((entry) => ({ ...entry, arrived: latest.get(entry.id) ?? entry.arrived }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** The next changes to send. */
export function nextBatch({ walkIns, marks }: CheckInState): { walkIns: WalkIn[]; marks: CheckInRecord[] } {
  return { walkIns: walkIns.slice(0, CHECK_IN_BATCH_MAX), marks: marks.slice(0, CHECK_IN_BATCH_MAX) }
}

/** Applies the response: removes the sent changes and keeps those made meanwhile. */
export function applyResponse(
  kept: CheckInState,
  sent: { walkIns: WalkIn[]; marks: CheckInRecord[] },
  { list, heardAt }: { list: CheckInList; heardAt: number },
): CheckInState {
  const isSent = new Set([...sent.walkIns, ...sent.marks].map(({ id }) => id))
  return {
    list,
    receivedAt: heardAt,
    walkIns: kept.walkIns.filter(({ id }) => !isSent.has(id)),
    marks: kept.marks.filter(({ id }) => !isSent.has(id)),
  }
}

/** Serializes for local storage, without email addresses and amounts: a phone may be lost. */
export function serializeCheckIn(kept: CheckInState): string {
  const entries = kept.list.entries.map((entry) => ({ ...entry, email: null, paid: 0 }))
  return JSON.stringify({ ...kept, list: { ...kept.list, entries } })
}

/** Returns null when there is nothing or it cannot be parsed. */
export function parseCheckIn(text: string | null): CheckInState | null {
  try {
    const kept = JSON.parse(text ?? 'null') as (CheckInState & { heardAt?: number }) | null
    if (!Array.isArray(kept?.list?.entries) || !Array.isArray(kept.marks) || !Array.isArray(kept.walkIns)) return null
    const { heardAt, ...state } = kept
    // Lists that a phone stored before the name changed.
    return { ...state, receivedAt: state.receivedAt ?? heardAt ?? 0 }
  } catch {
    return null
  }
}

/** A scanned code, and the hash of it if it can be that of a membership card. */
export interface Scanned {
  code: string
  cardHash: string | null
}

export type ScanResult =
  | { kind: 'unknown' }
  | { kind: 'unknown-card' }
  | { kind: 'waiting' | 'paying' | 'again' | 'welcome'; entry: CheckInEntry }

/** Interprets a scanned code for this event: that of an RSVP, or of the membership card of someone who has one. */
export function interpretScan({ code, cardHash }: Scanned, entries: readonly CheckInEntry[]): ScanResult {
  const entry = entries.find((one) =>
    cardHash === null ? one.code !== '' && one.code === code : one.cardHash === cardHash,
  )
  if (!entry || entry.place === 'cancelled') return { kind: cardHash === null ? 'unknown' : 'unknown-card' }
  if (entry.arrived > 0) return { kind: 'again', entry }
  return { kind: entry.place === 'coming' ? 'welcome' : entry.place, entry }
}

/** Matches any part of the name or email address. */
export function searchEntries(entries: readonly CheckInEntry[], searchText: string): CheckInEntry[] {
  const wanted = searchText.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ name, email }) => {
    const text = `${name} ${email ?? ''}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
