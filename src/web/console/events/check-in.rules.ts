import { DOOR_BATCH, type DoorEntry, type DoorList, type DoorMark, type WalkIn } from '#contract/console-rsvp.ts'

/** What a phone holds of one door: the list as it was last heard, and what was done here that the site has not heard yet. */
export interface KeptDoor {
  list: DoorList
  walkIns: WalkIn[]
  marks: DoorMark[]
  /** Epoch milliseconds: when the list was heard. */
  heardAt: number
}

export function countUnsent({ walkIns, marks }: KeptDoor): number {
  return walkIns.length + marks.length
}

/** The list as it stands at this door: what was heard, with what was done here on top. */
export function shownEntries({ list, walkIns, marks }: KeptDoor): DoorEntry[] {
  const known = new Set(list.entries.map(({ id }) => id))
  const added = walkIns
    .filter(({ id }) => !known.has(id))
    .map(({ id, name, guests }): DoorEntry => ({
      id,
      name,
      guests,
      email: null,
      meals: [],
      place: 'coming',
      arrived: 0,
      isWalkIn: true,
      code: '',
      paid: 0,
    }))
  const latest = new Map(marks.map(({ rsvpId, arrived }) => [rsvpId, arrived]))
  return [...list.entries, ...added]
    .map((entry) => ({ ...entry, arrived: latest.get(entry.id) ?? entry.arrived }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** What goes to the site next. */
export function nextBatch({ walkIns, marks }: KeptDoor): { walkIns: WalkIn[]; marks: DoorMark[] } {
  return { walkIns: walkIns.slice(0, DOOR_BATCH), marks: marks.slice(0, DOOR_BATCH) }
}

/** The site has answered: what it took is no longer to be sent, what was done meanwhile still is. */
export function afterAnswer(
  kept: KeptDoor,
  sent: { walkIns: WalkIn[]; marks: DoorMark[] },
  { list, heardAt }: { list: DoorList; heardAt: number },
): KeptDoor {
  const isSent = new Set([...sent.walkIns, ...sent.marks].map(({ id }) => id))
  return {
    list,
    heardAt,
    walkIns: kept.walkIns.filter(({ id }) => !isSent.has(id)),
    marks: kept.marks.filter(({ id }) => !isSent.has(id)),
  }
}

/** For the browser's storage: addresses and amounts are not needed at a door, and a phone may be lost. */
export function writeKept(kept: KeptDoor): string {
  const entries = kept.list.entries.map((entry) => ({ ...entry, email: null, paid: 0 }))
  return JSON.stringify({ ...kept, list: { ...kept.list, entries } })
}

/** null when there is nothing, or nothing that can be read. */
export function readKept(text: string | null): KeptDoor | null {
  try {
    const kept = JSON.parse(text ?? 'null') as KeptDoor | null
    return Array.isArray(kept?.list?.entries) && Array.isArray(kept.marks) && Array.isArray(kept.walkIns) ? kept : null
  } catch {
    return null
  }
}

export type Scanned = { kind: 'unknown' } | { kind: 'waiting' | 'paying' | 'again' | 'welcome'; entry: DoorEntry }

/** What a scanned code means at this door. */
export function readScan(code: string, entries: readonly DoorEntry[]): Scanned {
  const entry = entries.find((one) => one.code !== '' && one.code === code)
  if (!entry || entry.place === 'cancelled') return { kind: 'unknown' }
  if (entry.arrived > 0) return { kind: 'again', entry }
  return { kind: entry.place === 'coming' ? 'welcome' : entry.place, entry }
}

/** By any part of the name or address. */
export function searchEntries(entries: readonly DoorEntry[], words: string): DoorEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ name, email }) => {
    const text = `${name} ${email ?? ''}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
