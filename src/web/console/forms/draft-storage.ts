import { localStore } from '#web/session/browser-storage.ts'

/** Prefix of drafts in local storage, keyed by record. `logOut` removes all of them. */
const PREFIX = 'console-draft:'

/** @param value null removes the draft */
export function storeDraft(record: string, value: unknown): void {
  if (value === null) localStore.remove(PREFIX + record)
  else localStore.set(PREFIX + record, JSON.stringify(value))
}

/** Returns null when there is no draft or it cannot be parsed. */
export function readDraft(record: string): unknown {
  try {
    return JSON.parse(localStore.get(PREFIX + record) ?? 'null')
  } catch {
    return null
  }
}
