import { CallFailure } from '#web/api/call-failure.ts'

/**
 * Saves a record and reloads it after an edit conflict, so that saving again overwrites the newer version deliberately.
 * @param reload must keep the current value on screen until the response arrives
 */
export async function saveOrReloadOnConflict<T>(reload: () => void, save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (failure) {
    if (failure instanceof CallFailure && failure.code === 'CHANGED_MEANWHILE') reload()
    throw failure
  }
}
