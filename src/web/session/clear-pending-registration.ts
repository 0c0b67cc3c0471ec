import { localStore } from './browser-storage.ts'

export const PENDING_REGISTRATION_KEY = 'tempUser'

/** A module of its own because every page loads it: any login ends a pending registration. */
export function clearPendingRegistration(): void {
  localStore.remove(PENDING_REGISTRATION_KEY)
}
