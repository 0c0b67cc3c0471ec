import type { MemberAudience, MemberEmailTopic } from '#contract/console/emails/member-emails.ts'
import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { DeliveryState } from '#server/db/schema/newsletter-schema.ts'
import type { MemberEmailRecipientTable } from '#server/db/schema/member-email-schema.ts'
import type { AudienceMember } from './audience.service.ts'
import type { MemberEmail } from './member-email.queries.ts'
import type { ReachResult } from './reach.rules.ts'

// Each value is a query parameter, and database engines limit how many a query may have.
const ROWS_PER_INSERT = 100

export async function insertMemberEmail(
  db: Db,
  { campaignId, topic, audience }: { campaignId: string; topic: MemberEmailTopic; audience: MemberAudience },
): Promise<void> {
  await db
    .insertInto('memberEmail')
    .values({
      campaignId,
      topic,
      audience: JSON.stringify(audience),
      meetingOn: null,
      meetingKind: 'annual',
      windowReason: null,
      htmlDigest: null,
      textDigest: null,
    })
    .execute()
}

export async function updateMemberEmail(
  db: Db,
  { campaignId, audience, ...changes }: Pick<MemberEmail, 'campaignId'> & Partial<MemberEmail>,
): Promise<void> {
  await db
    .updateTable('memberEmail')
    .set({ ...changes, ...(audience && { audience: JSON.stringify(audience) }) })
    .where('campaignId', '=', campaignId)
    .execute()
}

/** Freezes the list: who is on it, and the copies by email. */
export async function insertRecipients(
  db: Db,
  campaignId: string,
  members: readonly AudienceMember[],
  now: number,
): Promise<void> {
  const rows = members.map(({ accountId, way, reason }) => ({ campaignId, accountId, way, reason, postedOn: null }))
  await queryInChunks(
    rows,
    async (some) => {
      await db.insertInto('memberEmailRecipient').values(some).execute()
      return []
    },
    ROWS_PER_INSERT,
  )
  const copies = members.flatMap(({ accountId, email, way }) =>
    way === 'email'
      ? [
          {
            id: `${campaignId}.${accountId}`,
            campaignId,
            recipientId: accountId,
            email,
            state: 'waiting' as const,
            attempts: 0,
            dueAt: now,
            leasedUntil: null,
            finishedAt: null,
            reason: null,
          },
        ]
      : [],
  )
  await queryInChunks(
    copies,
    async (some) => {
      await db.insertInto('delivery').values(some).execute()
      return []
    },
    ROWS_PER_INSERT,
  )
}

/** How many people on a frozen list were reached in each way when sending began. */
export async function listReach(db: Db, campaignId: string): Promise<(ReachResult & { people: number })[]> {
  const rows = await db
    .selectFrom('memberEmailRecipient')
    .select((eb) => ['way', 'reason', eb.fn.countAll<number | string>().as('people')])
    .where('campaignId', '=', campaignId)
    .groupBy(['way', 'reason'])
    .execute()
  return rows.map(({ people, ...row }) => ({ ...row, people: Number(people) }))
}

export interface FrozenRecipient extends Pick<MemberEmailRecipientTable, 'accountId' | 'way' | 'reason' | 'postedOn'> {
  firstName: string
  lastName: string
  levelKey: string | null
  isEnded: boolean
  /** The copy by email; null for other ways. */
  copy: { id: string; email: string; state: DeliveryState; reason: string | null; finishedAt: number | null } | null
}

/**
 * Everyone on a frozen list, by name, with the state of their copies.
 * @param onlyUndelivered only those who are reached by post, or whose copies did not arrive: few, where the list is long
 */
export async function listRecipients(
  db: Db,
  campaignId: string,
  { onlyUndelivered = false }: { onlyUndelivered?: boolean } = {},
): Promise<FrozenRecipient[]> {
  let query = db
    .selectFrom('memberEmailRecipient as recipient')
    .innerJoin('account', 'account.id', 'recipient.accountId')
    .leftJoin('membership', (join) =>
      join.onRef('membership.accountId', '=', 'account.id').on('membership.isCurrent', '=', 1),
    )
    // By id: of a list that was frozen a moment ago PostgreSQL has no statistics, and would compare each recipient with every copy.
    .leftJoin('delivery', (join) =>
      join.on('delivery.id', '=', (eb) =>
        eb
          .selectFrom('delivery as copy')
          .select('copy.id')
          .whereRef('copy.campaignId', '=', 'recipient.campaignId')
          .whereRef('copy.recipientId', '=', 'recipient.accountId'),
      ),
    )
    .select([
      'recipient.accountId',
      'recipient.way',
      'recipient.reason',
      'recipient.postedOn',
      'account.firstName',
      'account.lastName',
      'account.deactivatedBy',
      'membership.levelKey',
      'delivery.id as copyId',
      'delivery.email',
      'delivery.state',
      'delivery.reason as copyReason',
      'delivery.finishedAt',
    ])
    .where('recipient.campaignId', '=', campaignId)
    .orderBy('account.lastName')
    .orderBy('account.firstName')
    .orderBy('account.id')
  if (onlyUndelivered)
    query = query.innerJoin(undelivered(db, campaignId), 'undelivered.accountId', 'recipient.accountId')
  const rows = await query.execute()
  return rows.map(({ deactivatedBy, copyId, email, state, copyReason, finishedAt, ...row }) => ({
    ...row,
    isEnded: deactivatedBy !== null,
    copy:
      copyId === null
        ? null
        : { id: copyId, email: email ?? '', state: state ?? 'waiting', reason: copyReason, finishedAt },
  }))
}

/** Whom an email to members did not reach: found by indexes first, since PostgreSQL takes them for half of the list otherwise. */
function undelivered(db: Db, campaignId: string) {
  return db
    .selectFrom('memberEmailRecipient')
    .select('accountId')
    .where('campaignId', '=', campaignId)
    .where('way', '=', 'post')
    .union(
      db
        .selectFrom('delivery')
        .select('recipientId as accountId')
        .where('campaignId', '=', campaignId)
        .where('state', 'in', ['bounced', 'failed', 'skipped']),
    )
    .as('undelivered')
}

/** Marks those who were not marked before. Returns how many. */
export async function setPostedOn(
  db: Db,
  campaignId: string,
  { accountIds, postedOn }: { accountIds: readonly string[]; postedOn: string },
): Promise<number> {
  const marked = await queryInChunks(accountIds, (some) =>
    db
      .updateTable('memberEmailRecipient')
      .set({ postedOn })
      .where('campaignId', '=', campaignId)
      .where('accountId', 'in', some)
      .where('postedOn', 'is', null)
      .returning('accountId')
      .execute(),
  )
  return marked.length
}
