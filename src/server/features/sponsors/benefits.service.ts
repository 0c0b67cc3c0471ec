import type { AppContext } from '#server/app-context.ts'
import type { Kysely } from 'kysely'
import {
  sponsorBoardLimits,
  type listSponsorships,
  type PaidSponsor,
  type BenefitKind,
} from '#contract/console/sponsors.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { sendSponsorThanks } from './sponsors.emails.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { listDeadlines, storeDeadline } from './benefit-deadline.repository.ts'
import { listBenefits } from './benefits.rules.ts'
import { findPaidSponsorshipPage, markBenefitUndelivered } from './orders/sponsorship.repository.ts'
import { findSponsorship, markBenefitDelivered } from './orders/sponsorship.commands.ts'
import { type Sponsorship } from './orders/sponsorship.queries.ts'

/** `actor` is an account's id or 'webmaster'. */
export function createBenefitsService({ db, clock, timeZone, wakeOutbox }: AppContext) {
  async function requirePaid(tx: Kysely<Schema>, id: string): Promise<Sponsorship> {
    const sponsorship = await findSponsorship(tx, id)
    if (sponsorship?.state !== 'paid') throw new Problem('NOT_FOUND')
    return sponsorship
  }

  async function describe(sponsorships: readonly Sponsorship[]): Promise<PaidSponsor[]> {
    const deadlines = await listDeadlines(
      db,
      sponsorships.map(({ id }) => id),
    )
    const today = dayOf(clock.now(), timeZone)
    return sponsorships.map((sponsorship) => toPaidSponsor(sponsorship, deadlines, today))
  }

  return {
    async page({
      show,
      q,
      page,
    }: {
      show: 'open' | 'all'
      q?: string | undefined
      page: number
    }): Promise<Omit<ReplyOf<typeof listSponsorships>, 'mayChange'>> {
      const { pageSize } = sponsorBoardLimits
      const found = await findPaidSponsorshipPage(db, {
        search: q?.trim() ?? '',
        onlyOpen: show === 'open',
        offset: (page - 1) * pageSize,
        limit: pageSize + 1,
      })
      return { sponsorships: await describe(found.slice(0, pageSize)), hasMore: found.length > pageSize }
    },

    /** @throws Problem NOT_FOUND */
    async read(id: string): Promise<PaidSponsor> {
      const [sponsor] = await describe([await requirePaid(db, id)])
      if (!sponsor) throw new Problem('NOT_FOUND')
      return sponsor
    },

    /**
     * Marks a benefit as delivered or not delivered. Returns false if nothing changed.
     * @throws Problem NOT_FOUND if the sponsorship is unpaid or has no such benefit
     */
    setDelivered: (
      actor: string,
      { id, kind, isKept }: { id: string; kind: BenefitKind; isKept: boolean },
    ): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        const benefit = listBenefits(await requirePaid(tx, id)).find((one) => one.kind === kind)
        if (!benefit) throw new Problem('NOT_FOUND')
        const now = clock.now()
        const isChanged = isKept
          ? await markBenefitDelivered(tx, id, kind, now)
          : await markBenefitUndelivered(tx, id, kind)
        if (!isChanged) return false
        const describe = (is: boolean) => `${benefit.text}: ${is ? 'delivered' : 'not delivered'}`
        const details = { before: describe(!isKept), after: describe(isKept) }
        const action = isKept ? 'promise.kept' : 'promise.reopened'
        await writeAudit(tx, { actor, action, subjectId: id, details }, now)
        return true
      }),

    /** @throws Problem NOT_FOUND if the sponsorship is unpaid or has no such benefit */
    async setDeadline(
      actor: string,
      { id, kind, dueOn }: { id: string; kind: BenefitKind; dueOn: string | null },
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const benefit = listBenefits(await requirePaid(tx, id)).find((one) => one.kind === kind)
        if (!benefit) throw new Problem('NOT_FOUND')
        const before = (await listDeadlines(tx, [id])).get(`${id} ${kind}`) ?? null
        if (before === dueOn) return
        await storeDeadline(tx, { sponsorshipId: id, kind, dueOn })
        const details = { before: { [benefit.text]: before }, after: { [benefit.text]: dueOn } }
        await writeAudit(tx, { actor, action: 'promise.deadline_set', subjectId: id, details }, clock.now())
      })
    },

    /** Emails the thank-you message with the receipt again, to the address of the order, and returns that address. @throws Problem NOT_FOUND */
    async resendReceipt(actor: string, id: string): Promise<string> {
      const now = clock.now()
      const { email, receiptNumber } = await db.transaction().execute(async (tx) => {
        const sponsorship = await requirePaid(tx, id)
        await addToOutbox(tx, { effect: sendSponsorThanks, payload: { id } }, now)
        const details = { receipt: sponsorship.receiptNumber }
        await writeAudit(tx, { actor, action: 'sponsor.receipt-sent', subjectId: id, details }, now)
        return sponsorship
      })
      if (receiptNumber === null) throw new Problem('NOT_FOUND')
      wakeOutbox()
      return email
    },
  }
}

export type BenefitsService = ReturnType<typeof createBenefitsService>

function toPaidSponsor(sponsorship: Sponsorship, deadlines: ReadonlyMap<string, string>, today: string): PaidSponsor {
  const { id, company, name, email, phone, message, tierName, amount, currency, paidAt, receiptNumber } = sponsorship
  const { amountRefunded, dispute } = sponsorship
  return {
    id,
    company,
    name,
    email,
    phone,
    message,
    tierName,
    amount,
    amountRefunded,
    dispute,
    currency,
    paidAt: new Date(paidAt ?? 0).toISOString(),
    receiptNumber: receiptNumber ?? '',
    promises: listBenefits(sponsorship).map(({ kind, text, keptAt }) => {
      const dueOn = deadlines.get(`${id} ${kind}`) ?? null
      return {
        kind,
        words: text,
        keptAt: keptAt === null ? null : new Date(keptAt).toISOString(),
        dueOn,
        isOverdue: keptAt === null && dueOn !== null && dueOn < today,
      }
    }),
  }
}
