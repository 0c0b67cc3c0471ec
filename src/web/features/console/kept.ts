import { localStore } from '#web/features/auth/browser-storage.ts'

/** What officers typed and did not send, kept in this browser under the record it belongs to, until it is sent or they sign out (`signOut` forgets all of it). */
const PREFIX = 'console-draft:'

/** @param value null forgets it */
export function keepTyped(record: string, value: unknown): void {
  if (value === null) localStore.remove(PREFIX + record)
  else localStore.set(PREFIX + record, JSON.stringify(value))
}

/** null when nothing is kept, or nothing that can be read. */
export function findTyped(record: string): unknown {
  try {
    return JSON.parse(localStore.get(PREFIX + record) ?? 'null')
  } catch {
    return null
  }
}
