import type { Kysely } from 'kysely'
import type { NewsletterBlock } from '#contract/console-newsletter.ts'
import type { PictureUse } from '#contract/console-media.ts'
import type { StoredImage } from '#contract/media.ts'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { mailFileName } from '#server/media/picture-files.rules.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import type { PictureUser } from '../media/media-console.service.ts'
import { namesPicture, withPicture } from '../media/picture-uses.rules.ts'
import { addressOf } from '../media/pictures.service.ts'
import { findCampaign, listNaming, saveCampaign } from './campaign.repository.ts'
import type { CampaignWords } from './campaign-words.ts'
import { changeDraft, findDraft, isAhead, listSchedules, mailingStates } from './draft.repository.ts'

/** As wide as a letter shows a picture. */
const LETTER_WIDTH = 504

/** How letters show the stored pictures: by address, the size made for them and how wide it stands there. What has no sizes is shown as it is. */
export function letterPictures(images: readonly StoredImage[]): Map<string, { src: string; width: number }> {
  return new Map(
    images.flatMap((image) => {
      const widest = image.sizes?.at(-1)?.width
      if (widest === undefined) return []
      const address = addressOf(image)
      const folder = address.slice(0, address.lastIndexOf('/') + 1)
      const file = address.slice(folder.length)
      return [[address, { src: `${folder}${mailFileName(file)}`, width: Math.min(LETTER_WIDTH, widest) }] as const]
    }),
  )
}

/** Newsletters that name pictures. One that was sent stays as people have it. */
export function createNewsletterPictures({
  db,
  clock,
  print,
}: {
  db: Kysely<Schema>
  clock: Clock
  print(blocks: readonly NewsletterBlock[]): Promise<CampaignWords>
}): PictureUser {
  async function howAll(handle: Db): Promise<(id: string, sentAt: number | null) => PictureUse['how'][number]> {
    const [schedules, mailings] = await Promise.all([listSchedules(handle), mailingStates(handle)])
    const ahead = new Set(schedules.filter(isAhead).map(({ campaignId }) => campaignId))
    return (id, sentAt) => {
      if (sentAt !== null || mailings.has(id)) return 'sent'
      return ahead.has(id) ? 'scheduled' : 'draft'
    }
  }

  return {
    async usesOf(addresses) {
      const uses = new Map<string, PictureUse[]>()
      if (addresses.length === 0) return uses
      const howOf = await howAll(db)
      for (const { id, name, words, sentAt } of await listNaming(db, addresses)) {
        const use = { title: name, what: 'newsletter', path: `/console/newsletter/${id}`, how: [howOf(id, sentAt)] }
        for (const address of addresses.filter((one) => namesPicture(words, one)))
          uses.set(address, [...(uses.get(address) ?? []), use])
      }
      return uses
    },

    async replacePicture(tx, officer, { from, to }) {
      const howOf = await howAll(tx)
      for (const { id, words, sentAt } of await listNaming(tx, [from])) {
        if (!namesPicture(words, from) || howOf(id, sentAt) === 'sent') continue
        const [campaign, draft] = [await findCampaign(tx, id), await findDraft(tx, id)]
        if (!campaign) continue
        const now = clock.now()
        const blocks = draft && withPicture(draft.blocks, from, to)
        // Raised, so that whoever still writes in it is told.
        if (draft && blocks && !(await changeDraft(tx, { ...draft, blocks }, officer.accountId, now)))
          throw new Problem('CHANGED_MEANWHILE')
        const { html, picture } = withPicture({ html: campaign.html, picture: campaign.picture }, from, to)
        await saveCampaign(tx, { ...campaign, html, picture, ...(blocks && (await print(blocks))), updatedAt: now })
        const details = { before: from, after: to }
        await writeAudit(
          tx,
          { actor: officer.accountId, action: 'newsletter.picture-replaced', subjectId: id, details },
          now,
        )
      }
    },
  }
}
