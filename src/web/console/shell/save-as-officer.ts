import type { Endpoint } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsOfficer, type CallOptions } from './call-as-officer.ts'
import { reloadPageData } from './use-loaded.ts'

/** Saves a record and refetches the page's data after an edit conflict, so that saving again overwrites the newer version deliberately. */
export async function saveAsOfficer<E extends Endpoint>(endpoint: E, options: CallOptions<E>) {
  try {
    return await callAsOfficer(endpoint, options)
  } catch (failure) {
    if (isEditConflict(failure)) reloadPageData()
    throw failure
  }
}

/** Whether another officer saved a newer version. */
export function isEditConflict(failure: unknown): boolean {
  return failure instanceof CallFailure && failure.code === 'CHANGED_MEANWHILE'
}
