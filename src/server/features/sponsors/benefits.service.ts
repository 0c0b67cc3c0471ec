import type { Kysely } from 'kysely'
import {
  sponsorBoardLimits,
  type listSponsorships,
  type PaidSponsor,
  type PromiseKind,
} from '#contract/console-sponsors.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import { promisesOf } from './promises.rules.ts'
import {
  findPaidPage,
  findSponsorship,
  markPromiseDone,
  markPromiseOpen,
  type Sponsorship,
} from './sponsorship.repository.ts'

/** `actor` is an account's id or 'webmaster'. */
export interface PromisesService {
  page(asked: {
    show: 'open' | 'all'
    q?: string | undefined
    page: number
  }): Promise<Omit<ReplyOf<typeof listSponsorships>, 'mayChange'>>
  /** False when it was so before. @throws Problem NOT_FOUND where nothing of that kind was promised and paid */
  keep(actor: string, promise: { id: string; kind: PromiseKind; isKept: boolean }): Promise<boolean>
  /** @throws Problem NOT_FOUND */
  read(id: string): Promise<PaidSponsor>
  /** The letter of thanks with the receipt goes out again, to the address of the order. @throws Problem NOT_FOUND */
  sendReceiptAgain(actor: string, id: string): Promise<string>
}

export function createPromisesService({
  db,
  clock,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  wakeOutbox(): void
}): PromisesService {
  async function requirePaid(tx: Kysely<Schema>, id: string): Promise<Sponsorship> {
    const sponsorship = await findSponsorship(tx, id)
    if (sponsorship?.state !== 'paid') throw new Problem('NOT_FOUND')
    return sponsorship
  }

  return {
    async page({ show, q, page }) {
      const { pageSize } = sponsorBoardLimits
      const found = await findPaidPage(db, {
        words: q?.trim() ?? '',
        onlyOpen: show === 'open',
        offset: (page - 1) * pageSize,
        limit: pageSize + 1,
      })
      return { sponsorships: found.slice(0, pageSize).map(toPaidSponsor), hasMore: found.length > pageSize }
    },

    read: async (id) => toPaidSponsor(await requirePaid(db, id)),

    keep: (actor, { id, kind, isKept }) =>
      db.transaction().execute(async (tx) => {
        const promise = promisesOf(await requirePaid(tx, id)).find((one) => one.kind === kind)
        if (!promise) throw new Problem('NOT_FOUND')
        const now = clock.now()
        const isChanged = isKept ? await markPromiseDone(tx, id, kind, now) : await markPromiseOpen(tx, id, kind)
        if (!isChanged) return false
        const told = (is: boolean) => `${promise.words}: ${is ? 'kept' : 'to be kept'}`
        const details = { before: told(!isKept), after: told(isKept) }
        const action = isKept ? 'promise.kept' : 'promise.reopened'
        await writeAudit(tx, { actor, action, subjectId: id, details }, now)
        return true
      }),

    async sendReceiptAgain(actor, id) {
      const now = clock.now()
      const { email, receiptNumber } = await db.transaction().execute(async (tx) => {
        const sponsorship = await requirePaid(tx, id)
        await addToOutbox(tx, { kind: 'letter.sponsor_thanks', payload: { id } }, now)
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

function toPaidSponsor(sponsorship: Sponsorship): PaidSponsor {
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
    promises: promisesOf(sponsorship).map(({ keptAt, ...promise }) => ({
      ...promise,
      keptAt: keptAt === null ? null : new Date(keptAt).toISOString(),
    })),
  }
}
