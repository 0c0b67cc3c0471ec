import type { AppContext } from '#server/app-context.ts'
import type { NewsletterBlock } from '#contract/console/newsletter.ts'
import type { PictureUse } from '#contract/console/media.ts'
import type { StoredImage } from '#contract/public/media.ts'
import type { Db } from '#server/db/database.ts'
import { mailFileName } from '#server/media-store/pictures/picture-files.rules.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import type { PictureUser } from '#server/features/media/media-console.service.ts'
import { containsPicture, replacePictureUrls } from '#server/features/media/picture-uses.rules.ts'
import { unversionedUrl } from '#server/features/media/pictures.service.ts'
import { findCampaign } from '../campaign.queries.ts'
import { AUDIT_SUBJECTS } from '../campaign.rules.ts'
import { listCampaignsWithPictures } from '../campaign.repository.ts'
import { saveCampaign } from '../campaign.commands.ts'
import type { CampaignContent, EmailPictures } from './campaign-text.service.ts'
import { updateDraft, findDraft, listMailingStates } from './draft.repository.ts'
import { isSchedulePending, listSchedules } from './draft.queries.ts'

/** How a picture's page names what uses it. */
const USES = {
  subscribers: (id: string) => ({ what: 'newsletter', path: `/console/newsletter/${id}` }),
  members: (id: string) => ({ what: 'email to members', path: `/console/member-emails/${id}` }),
}

/** The display width of images in emails, in pixels. */
const EMAIL_IMAGE_WIDTH = 504

/** Maps each stored image's address to its email version and display width. Images without sizes are used as they are. */
export function emailPictures(images: readonly StoredImage[]): EmailPictures {
  return new Map(
    images.flatMap((image) => {
      const widest = image.sizes?.at(-1)?.width
      if (widest === undefined) return []
      const address = unversionedUrl(image)
      const folder = address.slice(0, address.lastIndexOf('/') + 1)
      const file = address.slice(folder.length)
      return [[address, { src: `${folder}${mailFileName(file)}`, width: Math.min(EMAIL_IMAGE_WIDTH, widest) }] as const]
    }),
  )
}

/** Finds and replaces images in newsletters. Sent newsletters are not changed. */
export function createNewsletterPictures(
  { db, clock }: AppContext,
  { renderBlocks }: { renderBlocks(blocks: readonly NewsletterBlock[]): Promise<CampaignContent> },
): PictureUser {
  async function loadStates(handle: Db): Promise<(id: string, sentAt: number | null) => PictureUse['how'][number]> {
    const [schedules, mailings] = await Promise.all([listSchedules(handle), listMailingStates(handle)])
    const ahead = new Set(schedules.filter(isSchedulePending).map(({ campaignId }) => campaignId))
    return (id, sentAt) => {
      if (sentAt !== null || mailings.has(id)) return 'sent'
      return ahead.has(id) ? 'scheduled' : 'draft'
    }
  }

  return {
    async findPictureUses(addresses) {
      const uses = new Map<string, PictureUse[]>()
      if (addresses.length === 0) return uses
      const stateOf = await loadStates(db)
      for (const { id, recipients, name, html: words, sentAt } of await listCampaignsWithPictures(db, addresses)) {
        const use = { title: name, ...USES[recipients](id), how: [stateOf(id, sentAt)] }
        for (const address of addresses.filter((one) => containsPicture(words, one)))
          uses.set(address, [...(uses.get(address) ?? []), use])
      }
      return uses
    },

    async replacePicture(tx, officer, { from, to }) {
      const stateOf = await loadStates(tx)
      for (const { id, html: words, sentAt } of await listCampaignsWithPictures(tx, [from])) {
        if (!containsPicture(words, from) || stateOf(id, sentAt) === 'sent') continue
        const [campaign, draft] = [await findCampaign(tx, id), await findDraft(tx, id)]
        if (!campaign) continue
        const now = clock.now()
        const blocks = draft && replacePictureUrls(draft.blocks, from, to)
        // Increments the version, so that other editors get a conflict.
        if (draft && blocks && !(await updateDraft(tx, { ...draft, blocks }, officer.accountId, now)))
          throw new Problem('CHANGED_MEANWHILE')
        const { html, picture } = replacePictureUrls({ html: campaign.html, picture: campaign.picture }, from, to)
        await saveCampaign(tx, {
          ...campaign,
          html,
          picture,
          ...(blocks && (await renderBlocks(blocks))),
          updatedAt: now,
        })
        const details = { before: from, after: to }
        await writeAudit(
          tx,
          {
            actor: officer.accountId,
            action: `${AUDIT_SUBJECTS[campaign.recipients]}.picture-replaced`,
            subjectId: id,
            details,
          },
          now,
        )
      }
    },
  }
}
