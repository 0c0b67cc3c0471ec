import type { AppContext } from '#server/app-context.ts'
import type { MemberEmailDetail, markPosted } from '#contract/console/emails/member-emails.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { type PostalAddress, recordLines } from '#contract/member-record/record-values.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { renderLettersPdf } from '#server/emails/pdf/post-pdf.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeLongCsv } from '#server/lib/csv/csv.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import type { StoredCampaign } from '#server/features/newsletter/campaign.queries.ts'
import type { CampaignEditor } from '#server/features/newsletter/composing/campaign-editor.service.ts'
import { findMailing } from '#server/features/newsletter/sending/mailing.queries.ts'
import type { MemberAudiences } from './audience.service.ts'
import { findMemberEmail } from './member-email.queries.ts'
import { listRecipients, setPostedOn, type FrozenRecipient } from './member-email.repository.ts'
import { isForPost, labelRows } from './post-pile.rules.ts'

interface Letter {
  recipient: FrozenRecipient
  address: PostalAddress
}

/** The letters of a notice to those whom no email reaches. Nothing is stored but the day of posting: who has to be written to is worked out anew. */
export function createPostPile(
  { db, clock, timeZone, association }: AppContext,
  { editor, audiences }: { editor: Pick<CampaignEditor, 'requireCampaign'>; audiences: MemberAudiences },
) {
  async function sort(campaignId: string) {
    const all = (await listRecipients(db, campaignId, { onlyUndelivered: true })).filter(isForPost)
    const open = all.filter(({ postedOn }) => postedOn === null)
    const addresses = await audiences.listPostalAddresses(
      db,
      open.map(({ accountId, levelKey }) => ({ id: accountId, levelKey })),
    )
    const letters = open.flatMap((recipient): Letter[] => {
      const address = addresses.get(recipient.accountId)
      return address ? [{ recipient, address }] : []
    })
    return { letters, posted: all.length - open.length, unreached: open.length - letters.length }
  }

  /** @throws Problem NOT_FOUND for what is not a notice that was sent */
  async function requireSentNotice(id: string): Promise<StoredCampaign> {
    const campaign = await editor.requireCampaign(id)
    const isNotice = (await findMemberEmail(db, id))?.topic === 'notice'
    if (!isNotice || !(await findMailing(db, id))) throw new Problem('NOT_FOUND')
    return campaign
  }

  async function requireLetters(id: string): Promise<Letter[]> {
    const { letters } = await sort(id)
    if (letters.length === 0) throw new Problem('NOTHING_TO_POST')
    return letters
  }

  async function audit(
    handle: Db,
    by: Officer,
    { id, action, after }: { id: string; action: 'post-exported' | 'posted'; after: Record<string, unknown> },
  ) {
    const entry = { actor: by.accountId, action: `member_email.${action}`, subjectId: id, details: { after } } as const
    await writeAudit(handle, entry, clock.now())
  }

  return {
    async count(id: string): Promise<NonNullable<MemberEmailDetail['post']>> {
      const { letters, posted, unreached } = await sort(id)
      return { waiting: letters.length, posted, unreached }
    },

    /** @throws Problem NOT_FOUND for what is not a notice that was sent, NOTHING_TO_POST */
    async file(by: Officer, id: string): Promise<ServedFile> {
      const campaign = await requireSentNotice(id)
      const letters = await requireLetters(id)
      const now = clock.now()
      const content = await renderLettersPdf(
        {
          title: campaign.name,
          date: formatLongDate(now, timeZone),
          text: campaign.text,
          createdAt: now,
          addresses: letters.map(({ recipient, address }) => [nameOf(recipient), ...recordLines(address)]),
        },
        await association(),
      )
      await audit(db, by, { id, action: 'post-exported', after: { letters: letters.length, as: 'PDF' } })
      return { filename: `letters-${dayOf(now, timeZone)}.pdf`, content }
    },

    /** @throws as `file` does */
    async labels(by: Officer, id: string): Promise<ServedFile> {
      await requireSentNotice(id)
      const letters = await requireLetters(id)
      const rows = labelRows(letters.map(({ recipient, address }) => ({ name: nameOf(recipient), address })))
      const content = await writeLongCsv(rows)
      await audit(db, by, { id, action: 'post-exported', after: { letters: letters.length, as: 'labels' } })
      return { filename: `labels-${dayOf(clock.now(), timeZone)}.csv`, content }
    },

    /** Records that all waiting letters were posted. @throws Problem NOT_FOUND, CHANGED_MEANWHILE if others wait now, INVALID_INPUT for a day to come */
    async markPosted(by: Officer, id: string, { postedOn, count }: BodyOf<typeof markPosted>): Promise<void> {
      await requireSentNotice(id)
      if (postedOn > dayOf(clock.now(), timeZone)) throw fieldProblem('postedOn', 'This day is still to come')
      const waiting = (await sort(id)).letters
      if (waiting.length !== count) throw new Problem('CHANGED_MEANWHILE')
      const accountIds = waiting.map(({ recipient }) => recipient.accountId)
      await db.transaction().execute(async (tx) => {
        // Another officer may be marking them at the same time.
        if ((await setPostedOn(tx, id, { accountIds, postedOn })) !== count) throw new Problem('CHANGED_MEANWHILE')
        await audit(tx, by, { id, action: 'posted', after: { letters: count, postedOn } })
      })
    },
  }
}

export type PostPile = ReturnType<typeof createPostPile>

function nameOf({ firstName, lastName }: FrozenRecipient): string {
  return `${firstName} ${lastName}`
}
