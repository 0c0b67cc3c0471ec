import { localStore } from './browser-storage.ts'
import { CHECK_IN_PAGES, removeOfflinePage } from './offline/offline-pages.ts'

/** Keys of what the check-in page stores on the device. */
export const CHECK_IN_LIST_PREFIX = 'door:'
export const CHECK_IN_OFFICER_KEY = 'door-officer'

/**
 * Clears the offline check-in data when the officer logs out: the cached page, the officer, and every list without
 * unsent changes. Unsent changes stay until an officer logs in on this device again and they are sent.
 */
export async function clearCheckInData(): Promise<void> {
  localStore.remove(CHECK_IN_OFFICER_KEY)
  for (const key of localStore.keys().filter((one) => one.startsWith(CHECK_IN_LIST_PREFIX)))
    if (isSynced(localStore.get(key) ?? '')) localStore.remove(key)
  await removeOfflinePage(CHECK_IN_PAGES)
}

function isSynced(list: string): boolean {
  try {
    const { marks, walkIns } = JSON.parse(list) as { marks?: unknown[]; walkIns?: unknown[] }
    return marks?.length === 0 && walkIns?.length === 0
  } catch {
    return true
  }
}
