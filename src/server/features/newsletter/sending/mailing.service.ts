import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { raiseContentVersion } from '../association/content.repository.ts'
import { findCampaign, markCampaignSent } from './campaign.repository.ts'
import { countDeliveries, createDeliveries, sendUncertainAgain, type DeliveryCounts } from './delivery.repository.ts'
import { raiseDraft, removeSchedule } from './draft.repository.ts'
import { mailingFinishedLetter } from './mailing.emails.ts'
import {
  findMailing,
  insertMailing,
  lockMailing,
  pauseMailing,
  resumeMailing,
  setRecipients,
  type Mailing,
} from './mailing.repository.ts'

/** Why a campaign is not sent. */
export type Refusal = 'unknown' | 'sent-before' | 'nobody'

export interface MailingService {
  /**
   * Fixes who gets it, puts it into the archive, and leaves the rest to the worker of a running site. Once for each campaign, however often it is asked.
   * @param seen the draft's version, or that it is scheduled. @throws Problem CHANGED_MEANWHILE when that is no longer so
   */
  start(
    campaignId: string,
    seen?: { version?: number; isScheduled?: boolean },
  ): Promise<{ recipients: number } | { refused: Refusal }>
  status(campaignId: string): Promise<{ mailing: Mailing; counts: DeliveryCounts } | null>
  pause(campaignId: string): Promise<boolean>
  resume(campaignId: string): Promise<boolean>
  /** Copies that may or may not have arrived. Answers how many are sent again. */
  sendUncertainAgain(campaignId: string): Promise<number>
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
}

export function createMailingService({
  db,
  clock,
  officersEmail,
  association,
}: {
  db: Kysely<Schema>
  clock: Clock
  officersEmail: string
  association(): Promise<Association>
}): MailingService {
  async function status(campaignId: string): Promise<{ mailing: Mailing; counts: DeliveryCounts } | null> {
    const mailing = await findMailing(db, campaignId)
    return mailing && { mailing, counts: await countDeliveries(db, campaignId) }
  }

  return {
    status,

    start(campaignId, { version, isScheduled = false } = {}) {
      return db
        .transaction()
        .execute(async (tx) => {
          const now = clock.now()
          const campaign = await findCampaign(tx, campaignId)
          if (!campaign) return { refused: 'unknown' as const }
          if (campaign.sentAt !== null || !(await insertMailing(tx, { campaignId, recipients: 0, now }))) {
            return { refused: 'sent-before' as const }
          }
          // From here on nobody changes what is sent, and no schedule begins it.
          const isSame = await raiseDraft(tx, campaignId, version)
          const wasScheduled = await removeSchedule(tx, campaignId)
          if (!isSame || (isScheduled && !wasScheduled)) throw new Problem('CHANGED_MEANWHILE')
          const recipients = await createDeliveries(tx, campaignId, now)
          if (recipients === 0) throw new NobodyToSendTo()
          await setRecipients(tx, campaignId, recipients)
          await markCampaignSent(tx, campaignId, now)
          await raiseContentVersion(tx)
          return { recipients }
        })
        .catch((error: unknown) => {
          if (error instanceof NobodyToSendTo) return { refused: 'nobody' as const }
          throw error
        })
    },

    pause: (campaignId) => pauseMailing(db, campaignId, 'paused by an officer'),

    async resume(campaignId) {
      return db.transaction().execute(async (tx) => {
        await lockMailing(tx, campaignId)
        if ((await findMailing(tx, campaignId))?.state !== 'paused') return false
        await resumeMailing(tx, campaignId, clock.now())
        return true
      })
    },

    async sendUncertainAgain(campaignId) {
      return db.transaction().execute(async (tx) => {
        await lockMailing(tx, campaignId)
        const count = await sendUncertainAgain(tx, campaignId, clock.now())
        if (count > 0) await resumeMailing(tx, campaignId, clock.now())
        return count
      })
    },

    letters: {
      async 'letter.mailing_finished'({ campaignId }) {
        const campaign = await findCampaign(db, String(campaignId))
        const found = await status(String(campaignId))
        if (!campaign || !found) return null
        return {
          ...mailingFinishedLetter(
            { campaign, recipients: found.mailing.recipients, counts: found.counts },
            await association(),
          ),
          to: officersEmail,
        }
      },
    },
  }
}

/** Takes the transaction back. */
class NobodyToSendTo extends Error {}
