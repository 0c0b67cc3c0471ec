import { declineEvent, undoDecline } from '#contract/public/my-account/declined-events.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

/** @throws {CallFailure} */
export const decline = (id: string): Promise<void> => callAsMember(declineEvent, { params: { id } })

/** @throws {CallFailure} */
export const undo = (id: string): Promise<void> => callAsMember(undoDecline, { params: { id } })
