import type { AppContext } from '#server/app-context.ts'
import { Problem } from '#server/lib/problem.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { findCampaign } from '../campaign.queries.ts'
import { markCampaignSent } from '../campaign.repository.ts'
import { countDeliveries, requeueUncertain, type DeliveryCounts } from './delivery.repository.ts'
import { incrementDraftVersion, deleteSchedule } from '../composing/draft.repository.ts'
import type { MailingLists } from './mailing-lists.registry.ts'
import { findMailing, type Mailing } from './mailing.queries.ts'
import { insertMailing, lockMailing, pauseMailing, resumeMailing, setRecipients } from './mailing.repository.ts'

/** Why a campaign was not sent. */
export type StartRefusal = 'unknown' | 'sent-before' | 'no-recipients'

export function createMailingService({ db, clock, cache }: AppContext, { lists }: { lists: MailingLists }) {
  async function status(campaignId: string): Promise<{ mailing: Mailing; counts: DeliveryCounts } | null> {
    const mailing = await findMailing(db, campaignId)
    return mailing && { mailing, counts: await countDeliveries(db, campaignId) }
  }

  return {
    status,

    /**
     * Creates the deliveries and adds a newsletter to the archive; the mailing worker does the sending. A campaign is started once, however often this is called.
     * @param seen the draft's version, or that it is scheduled. @throws Problem CHANGED_MEANWHILE if that has changed
     */
    async start(
      campaignId: string,
      { version, isScheduled = false }: { version?: number; isScheduled?: boolean } = {},
    ): Promise<{ recipients: number } | { refused: StartRefusal }> {
      const outcome = await db
        .transaction()
        .execute(async (tx) => {
          const now = clock.now()
          const campaign = await findCampaign(tx, campaignId)
          if (!campaign) return { refused: 'unknown' as const }
          if (campaign.sentAt !== null || !(await insertMailing(tx, { campaignId, recipients: 0, now }))) {
            return { refused: 'sent-before' as const }
          }
          // From here on the content is fixed, and no schedule can start it.
          const isSame = await incrementDraftVersion(tx, campaignId, version)
          const wasScheduled = await deleteSchedule(tx, campaignId)
          if (!isSame || (isScheduled && !wasScheduled)) throw new Problem('CHANGED_MEANWHILE')
          const { copies: recipients, isEmpty } = await lists[campaign.recipients].createDeliveries(tx, campaignId, now)
          if (isEmpty) throw new NoRecipients()
          await setRecipients(tx, campaignId, recipients)
          if (campaign.recipients === 'subscribers') {
            await markCampaignSent(tx, campaignId, now)
            await incrementContentVersion(tx)
          }
          return { recipients }
        })
        .catch((error: unknown) => {
          if (error instanceof NoRecipients) return { refused: 'no-recipients' as const }
          throw error
        })
      // It joins the archive.
      if ('recipients' in outcome) await cache.refresh()
      return outcome
    },

    pause: (campaignId: string): Promise<boolean> => pauseMailing(db, campaignId, 'paused by an officer'),

    async resume(campaignId: string): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        await lockMailing(tx, campaignId)
        if ((await findMailing(tx, campaignId))?.state !== 'paused') return false
        await resumeMailing(tx, campaignId, clock.now())
        return true
      })
    },

    /** Requeues copies that may or may not have arrived. Returns how many. */
    async requeueUncertain(campaignId: string): Promise<number> {
      return db.transaction().execute(async (tx) => {
        await lockMailing(tx, campaignId)
        const count = await requeueUncertain(tx, campaignId, clock.now())
        if (count > 0) await resumeMailing(tx, campaignId, clock.now())
        return count
      })
    },
  }
}

export type MailingService = ReturnType<typeof createMailingService>

/** Thrown to roll back the transaction. */
class NoRecipients extends Error {}
