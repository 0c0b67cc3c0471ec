import { localStore } from './browser-storage.ts'

export const TEMP_USER_KEY = 'tempUser'

/** By itself, since every page has it: a log-in ends a registration, wherever it happens. */
export function forgetTempUser(): void {
  localStore.remove(TEMP_USER_KEY)
}
