import type { PersonalData } from '#contract/public/account-data.ts'
import type { Db } from '#server/db/database.ts'
import type { MembershipTable } from '#server/db/schema/membership-schema.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

const toIso = (instant: number) => new Date(instant).toISOString()
const toIsoOrNull = (instant: number | null) => (instant === null ? null : toIso(instant))

type StoredData = Omit<PersonalData, 'writtenAt' | 'account'>

/**
 * Returns all data stored about a person, by account and by address, oldest first. Excludes hashes, tokens and other
 * people's notes.
 */
export async function readPersonalData(
  db: Db,
  { accountId, email }: { accountId: string; email: string },
): Promise<StoredData> {
  return {
    memberships: await memberships(db, accountId),
    payments: await payments(db, accountId),
    complimentaryTerms: await complimentaryTerms(db, accountId),
    consents: await consents(db, accountId),
    credentials: await credentials(db, accountId),
    sessions: await sessions(db, accountId),
    passkeys: await passkeys(db, accountId),
    newsletter: await newsletter(db, email),
    messages: await messages(db, email),
    sponsorships: await sponsorships(db, email),
    events: await events(db, email),
    viewedByOfficers: await views(db, accountId),
    eventPayments: await eventPayments(db, email),
    history: await history(db, accountId),
  }
}

async function memberships(db: Db, accountId: string): Promise<StoredData['memberships']> {
  const rows = await db
    .selectFrom('membership')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('started_at')
    .execute()
  return rows.map((row) => ({
    level: row.level_key,
    kind: row.kind,
    startedAt: toIso(row.started_at),
    endsAt: toIsoOrNull(endOf(row)),
    endedAt: toIsoOrNull(row.ended_at),
    isCurrent: row.is_current === 1,
    cardProviderReference: row.stripe_subscription_id,
  }))
}

/** A replaced or refunded membership ended before its term did. */
function endOf({ ends_at: endsAt, ended_at: endedAt }: Pick<MembershipTable, 'ends_at' | 'ended_at'>): number | null {
  if (endsAt === null || endedAt === null) return endsAt ?? endedAt
  return Math.min(endsAt, endedAt)
}

async function payments(db: Db, accountId: string): Promise<StoredData['payments']> {
  const rows = await db
    .selectFrom('payment')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('paid_at')
    .execute()
  return rows.map((row) => ({
    receiptNumber: row.receipt_number,
    level: row.level_key,
    amount: row.amount,
    currency: row.currency,
    code: row.coupon_code,
    discount: row.discount,
    amountRefunded: row.amount_refunded,
    paidAt: toIso(row.paid_at),
    canceledAt: toIsoOrNull(row.voided_at),
    cardProviderReference: row.reference,
  }))
}

async function complimentaryTerms(db: Db, accountId: string): Promise<StoredData['complimentaryTerms']> {
  const rows = await db
    .selectFrom('complimentary_term')
    .select(['level_key', 'given_at', 'ends_at'])
    .where('account_id', '=', accountId)
    .orderBy('given_at')
    .execute()
  return rows.map((row) => ({
    level: row.level_key,
    givenAt: toIso(row.given_at),
    endsAt: toIsoOrNull(row.ends_at),
  }))
}

async function consents(db: Db, accountId: string): Promise<StoredData['consents']> {
  const rows = await db
    .selectFrom('consent')
    .selectAll()
    .where('person_id', '=', accountId)
    .orderBy('given_at')
    .execute()
  return rows.map(({ kind, version, given_at: givenAt }) => ({ kind, version, givenAt: toIso(givenAt) }))
}

async function credentials(db: Db, accountId: string): Promise<StoredData['credentials']> {
  const rows = await db
    .selectFrom('credential')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('given_at')
    .execute()
  return rows.map((row) => ({
    kind: row.kind,
    npi: row.npi || null,
    licenceState: row.licence_state || null,
    place: row.place,
    endsOn: row.ends_on,
    givenAt: toIso(row.given_at),
    status: row.status,
    decidedAt: toIsoOrNull(row.decided_at),
    askedAt: toIsoOrNull(row.asked_at),
    question: row.question,
  }))
}

async function sessions(db: Db, accountId: string): Promise<StoredData['sessions']> {
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    browser: row.browser,
    signedInAt: toIso(row.created_at),
    lastSeenAt: toIso(row.last_seen_at),
    endedAt: toIsoOrNull(row.revoked_at),
  }))
}

async function passkeys(db: Db, accountId: string): Promise<StoredData['passkeys']> {
  const rows = await db
    .selectFrom('passkey')
    .select(['name', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    name: row.name,
    addedAt: toIso(row.created_at),
    lastUsedAt: toIsoOrNull(row.last_used_at),
  }))
}

async function newsletter(db: Db, email: string): Promise<StoredData['newsletter']> {
  const row = await db.selectFrom('subscriber').selectAll().where('email_key', '=', nameKey(email)).executeTakeFirst()
  if (!row) return null
  return {
    email: row.email,
    state: row.state,
    source: row.source,
    askedAt: toIso(row.asked_at),
    confirmedAt: toIsoOrNull(row.confirmed_at),
    leftAt: toIsoOrNull(row.left_at),
    importedAt: toIsoOrNull(row.imported_at),
    consentOn: row.consent_on,
    consentSource: row.consent_source,
  }
}

async function messages(db: Db, email: string): Promise<StoredData['messages']> {
  const rows = await db
    .selectFrom('contact_message')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', nameKey(email)))
    .orderBy('received_at')
    .execute()
  const answers = await db
    .selectFrom('message_answer')
    .selectAll()
    .where('message_id', 'in', ['', ...rows.map(({ id }) => id)])
    .orderBy('sent_at')
    .execute()
  return rows.map((row) => ({
    name: row.name,
    subject: row.subject,
    message: row.message,
    receivedAt: toIso(row.received_at),
    answeredAt: toIsoOrNull(row.answered_at),
    answers: answers
      .filter((answer) => answer.message_id === row.id)
      .map(({ text, sent_at }) => ({ text, sentAt: toIso(sent_at) })),
  }))
}

async function sponsorships(db: Db, email: string): Promise<StoredData['sponsorships']> {
  const rows = await db
    .selectFrom('sponsorship')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', nameKey(email)))
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    company: row.company,
    tier: row.tier_name,
    amount: row.amount,
    amountRefunded: row.amount_refunded,
    currency: row.currency,
    paidAt: toIsoOrNull(row.paid_at),
    receiptNumber: row.receipt_number,
  }))
}

async function events(db: Db, email: string): Promise<StoredData['events']> {
  const rows = await db
    .selectFrom('rsvp')
    .selectAll()
    .where('email_key', '=', nameKey(email))
    .orderBy('asked_at')
    .execute()
  return rows.map((row) => ({
    event: row.event_id,
    name: row.name,
    guests: row.guests,
    meals: JSON.parse(row.meals) as string[],
    place: row.status,
    saidAt: toIso(row.asked_at),
    arrived: row.arrived,
  }))
}

async function views(db: Db, accountId: string): Promise<StoredData['viewedByOfficers']> {
  const rows = await db
    .selectFrom('member_viewing')
    .select(['started_at', 'ended_at', 'reason'])
    .where('account_id', '=', accountId)
    .orderBy('started_at')
    .execute()
  return rows.map((row) => ({
    startedAt: toIso(row.started_at),
    endedAt: toIsoOrNull(row.ended_at),
    reason: row.reason,
  }))
}

async function eventPayments(db: Db, email: string): Promise<StoredData['eventPayments']> {
  const rows = await db
    .selectFrom('rsvp_order')
    .selectAll()
    .where('email_key', '=', nameKey(email))
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    event: row.title,
    name: row.name,
    guests: row.guests,
    amount: row.amount,
    amountRefunded: row.amount_refunded,
    currency: row.currency,
    startedAt: toIso(row.created_at),
    paidAt: toIsoOrNull(row.paid_at),
    receiptNumber: row.receipt_number,
    cardProviderReference: row.payment_reference,
  }))
}

async function history(db: Db, accountId: string): Promise<StoredData['history']> {
  const rows = await db
    .selectFrom('audit')
    .select(['at', 'action'])
    .where('subject_id', '=', accountId)
    .orderBy('at')
    .execute()
  return rows.map(({ at, action }) => ({ at: toIso(at), action }))
}
