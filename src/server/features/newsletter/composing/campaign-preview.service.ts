import type { AppContext } from '#server/app-context.ts'
import type { Email } from '#server/emails/email.ts'
import { Problem } from '#server/lib/problem.ts'
import { campaignEmail, withUnsubscribeUrl } from '../campaign.emails.ts'
import { findCampaign, type StoredCampaign } from '../campaign.queries.ts'
import type { MailingLists } from '../sending/mailing-lists.registry.ts'

/** Newsletters and emails to members as emails whose links do not unsubscribe: for previews and tests. */
export function createCampaignPreview({ db, siteUrl, association }: AppContext, { lists }: { lists: MailingLists }) {
  async function render(campaign: StoredCampaign): Promise<Email> {
    const { footer, unsubscribePage } = lists[campaign.recipients]
    const parts = { siteUrl, association: await association(), footer: await footer(db, campaign) }
    // A page without a token: a test email must not unsubscribe anyone.
    return withUnsubscribeUrl(campaignEmail(campaign, parts), `${siteUrl}${unsubscribePage}`)
  }

  return {
    /** @throws Problem NOT_FOUND */
    async render(id: string): Promise<Email> {
      const campaign = await findCampaign(db, id)
      if (!campaign) throw new Problem('NOT_FOUND')
      return render(campaign)
    },

    /** null if the campaign does not exist. */
    async findHtml(id: string): Promise<string | null> {
      const campaign = await findCampaign(db, id)
      return campaign && (await render(campaign)).html
    },
  }
}

export type CampaignPreview = ReturnType<typeof createCampaignPreview>
