import type { AppContext } from '#server/app-context.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { sendDirectoryMessage } from '#contract/public/my-account/directory.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { sendDirectoryMessageEmail, sendReportedMessage } from './directory-message.emails.ts'
import { findMessage, markReported, saveMessage } from './directory-message.repository.ts'
import type { DirectoryService } from './directory.service.ts'
import { findShownEntry } from './planted/planted-entry.repository.ts'
import { sendPlantedMessage } from './planted/planted-message.emails.ts'

/** Messages between members. The site sends them: no response holds an address. */
export function createDirectoryMessages(
  { db, clock, limiter, settings, wakeOutbox }: AppContext,
  { directory }: { directory: DirectoryService },
) {
  return {
    /** @throws Problem ACTIVE_MEMBERSHIP_REQUIRED, NOT_FOUND, MESSAGES_OFF, RATE_LIMITED */
    async send(accountId: string, entryId: string, body: BodyOf<typeof sendDirectoryMessage>): Promise<void> {
      await directory.requireActive(accountId)
      const recipient = await directory.findMember({ id: entryId })
      const plantedEntry = recipient ? null : await findShownEntry(db, entryId)
      const toAccountId = recipient?.accountId ?? plantedEntry?.id
      if (toAccountId === undefined) throw new Problem('NOT_FOUND')
      if (recipient?.takesMessages === 0 || toAccountId === accountId) throw new Problem('MESSAGES_OFF')
      const rate = await limiter.hit('directoryMessages', accountId, settings().rateLimits.directoryMessages)
      if (!rate.allowed) throw new Problem('RATE_LIMITED', { rate })
      const now = clock.now()
      const id = newId(now)
      const { subject, text, showsAddress } = body
      await db.transaction().execute(async (tx) => {
        const people = { fromAccountId: accountId, toAccountId }
        await saveMessage(tx, { id, ...people, subject, text, showsAddress: Number(showsAddress), sentAt: now })
        if (plantedEntry) {
          await addToOutbox(tx, { effect: sendPlantedMessage, payload: { id } }, now)
          // Not about the sender, whose own data would show that the entry is planted.
          const entry = { actor: 'system', action: 'planted_entry.written_to', subjectId: plantedEntry.id } as const
          await writeAudit(tx, entry, now)
          return
        }
        const payload = { id, accountId: toAccountId }
        await addToOutbox(tx, { effect: sendDirectoryMessageEmail, payload }, now)
      })
      wakeOutbox()
    },

    /** Once for each message; again is a no-op. @throws Problem NOT_FOUND unless the caller received it */
    async report(accountId: string, id: string): Promise<void> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const message = await findMessage(tx, id)
        if (!message || message.toAccountId !== accountId) throw new Problem('NOT_FOUND')
        if (!(await markReported(tx, id, now))) return
        await addToOutbox(tx, { effect: sendReportedMessage, payload: { id } }, now)
        const subjectId = message.fromAccountId
        await writeAudit(tx, { actor: accountId, action: 'directory.message_reported', subjectId }, now)
      })
      wakeOutbox()
    },
  }
}

export type DirectoryMessages = ReturnType<typeof createDirectoryMessages>
