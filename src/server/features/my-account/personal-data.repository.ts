import type { CredentialKind } from '#contract/credentials/credential-kinds.ts'
import type { AccountView, PersonalData } from '#contract/public/account-data.ts'
import { ticketLines, type PartyTicket } from '#contract/tickets/tickets.ts'
import type { Db } from '#server/db/database.ts'
import type { MembershipTable } from '#server/db/schema/membership-schema.ts'
import { readFlags } from '#server/db/schema/column-values.ts'
import { findCard } from '#server/features/card/member-card.queries.ts'
import { listCredentialData } from '#server/features/credentials/credential-data.queries.ts'
import { findListing } from '#server/features/directory/directory-listing.queries.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { personStates, rollCalls, rollObjections, rolls } from './personal-roll.repository.ts'
import { toIso, toIsoOrNull } from './personal-data.rules.ts'
import { emailsToMembers, emailTopics, newsletter } from './personal-emails.repository.ts'

type StoredData = Omit<PersonalData, 'writtenAt' | 'account' | 'record'>

/**
 * Returns all data stored about a person, by account and by address, oldest first. Excludes hashes and tokens. Officers'
 * notes about the person are included, without their authors.
 */
export async function readPersonalData(
  db: Db,
  {
    accountId,
    email,
    credentialKinds,
  }: { accountId: string; email: string; credentialKinds: readonly CredentialKind[] },
): Promise<StoredData> {
  return {
    memberships: await memberships(db, accountId),
    payments: await payments(db, accountId),
    complimentaryTerms: await complimentaryTerms(db, accountId),
    consents: await consents(db, accountId),
    credentials: await listCredentialData(db, accountId, credentialKinds),
    sessions: await sessions(db, accountId),
    passkeys: await passkeys(db, accountId),
    newsletter: await newsletter(db, email),
    messages: await messages(db, email),
    sponsorships: await sponsorships(db, email),
    events: await events(db, email),
    declinedEvents: await declinedEvents(db, accountId),
    card: await membershipCard(db, accountId),
    directory: await directoryChoice(db, accountId),
    directoryMessages: await directoryMessages(db, accountId),
    emailTopics: await emailTopics(db, accountId),
    emailsToMembers: await emailsToMembers(db, accountId),
    personStates: await personStates(db, accountId),
    rollCalls: await rollCalls(db, accountId),
    rolls: await rolls(db, accountId),
    rollObjections: await rollObjections(db, accountId),
    viewedByOfficers: await listAccountViews(db, accountId),
    notes: await notes(db, accountId),
    eventPayments: await eventPayments(db, email),
    history: await history(db, accountId),
  }
}

async function membershipCard(db: Db, accountId: string): Promise<StoredData['card']> {
  const card = await findCard(db, accountId)
  return card && { number: card.number, codeMadeAt: toIso(card.madeAt), revokedAt: toIsoOrNull(card.revokedAt) }
}

async function directoryChoice(db: Db, accountId: string): Promise<StoredData['directory']> {
  const listing = await findListing(db, accountId)
  return listing && readFlags(listing, 'inMembers', 'inPublic', 'takesMessages')
}

async function directoryMessages(db: Db, accountId: string): Promise<StoredData['directoryMessages']> {
  const rows = await db
    .selectFrom('directoryMessage')
    .selectAll()
    .where((eb) => eb.or([eb('fromAccountId', '=', accountId), eb('toAccountId', '=', accountId)]))
    .orderBy('sentAt')
    .execute()
  return rows.map(({ fromAccountId, subject, text, sentAt }) => ({
    direction: fromAccountId === accountId ? 'sent' : 'received',
    subject,
    text,
    sentAt: toIso(sentAt),
  }))
}

async function memberships(db: Db, accountId: string): Promise<StoredData['memberships']> {
  const rows = await db
    .selectFrom('membership')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('startedAt')
    .execute()
  return rows.map((row) => ({
    level: row.levelKey,
    kind: row.kind,
    startedAt: toIso(row.startedAt),
    endsAt: toIsoOrNull(endOf(row)),
    endedAt: toIsoOrNull(row.endedAt),
    isCurrent: row.isCurrent === 1,
    cardProviderReference: row.stripeSubscriptionId,
  }))
}

/** A replaced or refunded membership ended before its term did. */
function endOf({ endsAt, endedAt }: Pick<MembershipTable, 'endsAt' | 'endedAt'>): number | null {
  if (endsAt === null || endedAt === null) return endsAt ?? endedAt
  return Math.min(endsAt, endedAt)
}

async function payments(db: Db, accountId: string): Promise<StoredData['payments']> {
  const rows = await db.selectFrom('payment').selectAll().where('accountId', '=', accountId).orderBy('paidAt').execute()
  return rows.map((row) => ({
    receiptNumber: row.receiptNumber,
    level: row.levelKey,
    amount: row.amount,
    currency: row.currency,
    code: row.couponCode,
    discount: row.discount,
    amountRefunded: row.amountRefunded,
    paidAt: toIso(row.paidAt),
    canceledAt: toIsoOrNull(row.voidedAt),
    cardProviderReference: row.reference,
  }))
}

async function complimentaryTerms(db: Db, accountId: string): Promise<StoredData['complimentaryTerms']> {
  const rows = await db
    .selectFrom('complimentaryTerm')
    .select(['levelKey', 'givenAt', 'endsAt'])
    .where('accountId', '=', accountId)
    .orderBy('givenAt')
    .execute()
  return rows.map((row) => ({
    level: row.levelKey,
    givenAt: toIso(row.givenAt),
    endsAt: toIsoOrNull(row.endsAt),
  }))
}

async function consents(db: Db, accountId: string): Promise<StoredData['consents']> {
  const rows = await db.selectFrom('consent').selectAll().where('personId', '=', accountId).orderBy('givenAt').execute()
  return rows.map(({ kind, version, givenAt }) => ({ kind, version, givenAt: toIso(givenAt) }))
}

async function sessions(db: Db, accountId: string): Promise<StoredData['sessions']> {
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .execute()
  return rows.map((row) => ({
    browser: row.browser,
    signedInAt: toIso(row.createdAt),
    lastSeenAt: toIso(row.lastSeenAt),
    endedAt: toIsoOrNull(row.revokedAt),
  }))
}

async function passkeys(db: Db, accountId: string): Promise<StoredData['passkeys']> {
  const rows = await db
    .selectFrom('passkey')
    .select(['name', 'createdAt', 'lastUsedAt'])
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .execute()
  return rows.map((row) => ({
    name: row.name,
    addedAt: toIso(row.createdAt),
    lastUsedAt: toIsoOrNull(row.lastUsedAt),
  }))
}

async function messages(db: Db, email: string): Promise<StoredData['messages']> {
  const rows = await db
    .selectFrom('contactMessage')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', nameKey(email)))
    .orderBy('receivedAt')
    .execute()
  const answers = await db
    .selectFrom('messageAnswer')
    .selectAll()
    .where('messageId', 'in', ['', ...rows.map(({ id }) => id)])
    .orderBy('sentAt')
    .execute()
  return rows.map((row) => ({
    name: row.name,
    subject: row.subject,
    message: row.message,
    receivedAt: toIso(row.receivedAt),
    answeredAt: toIsoOrNull(row.answeredAt),
    answers: answers
      .filter((answer) => answer.messageId === row.id)
      .map(({ text, sentAt }) => ({ text, sentAt: toIso(sentAt) })),
  }))
}

async function sponsorships(db: Db, email: string): Promise<StoredData['sponsorships']> {
  const rows = await db
    .selectFrom('sponsorship')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', nameKey(email)))
    .orderBy('createdAt')
    .execute()
  return rows.map((row) => ({
    company: row.company,
    tier: row.tierName,
    amount: row.amount,
    amountRefunded: row.amountRefunded,
    currency: row.currency,
    paidAt: toIsoOrNull(row.paidAt),
    receiptNumber: row.receiptNumber,
  }))
}

async function events(db: Db, email: string): Promise<StoredData['events']> {
  const rows = await db
    .selectFrom('rsvp')
    .selectAll()
    .where('emailKey', '=', nameKey(email))
    .orderBy('askedAt')
    .execute()
  return rows.map((row) => ({
    event: row.eventId,
    name: row.name,
    guests: row.guests,
    meals: JSON.parse(row.meals) as string[],
    tickets: ticketLines(JSON.parse(row.tickets) as PartyTicket[]),
    place: row.status,
    saidAt: toIso(row.askedAt),
    arrived: row.arrived,
  }))
}

async function declinedEvents(db: Db, accountId: string): Promise<StoredData['declinedEvents']> {
  const rows = await db
    .selectFrom('declinedEvent')
    .select(['eventId', 'declinedAt'])
    .where('accountId', '=', accountId)
    .orderBy('declinedAt')
    .execute()
  return rows.map(({ eventId, declinedAt }) => ({ event: eventId, saidAt: toIso(declinedAt) }))
}

/** Oldest first. */
export async function listAccountViews(db: Db, accountId: string): Promise<AccountView[]> {
  const rows = await db
    .selectFrom('memberViewing')
    .select(['startedAt', 'endedAt', 'reason'])
    .where('accountId', '=', accountId)
    .orderBy('startedAt')
    .execute()
  return rows.map((row) => ({
    startedAt: toIso(row.startedAt),
    endedAt: toIsoOrNull(row.endedAt),
    reason: row.reason,
  }))
}

async function notes(db: Db, accountId: string): Promise<StoredData['notes']> {
  const rows = await db
    .selectFrom('memberNote')
    .select(['kind', 'text', 'writtenAt', 'editedAt'])
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .orderBy('writtenAt')
    .orderBy('id')
    .execute()
  return rows.map(({ kind, text, writtenAt, editedAt }) => ({
    kind,
    text,
    writtenAt: toIso(writtenAt),
    editedAt: toIsoOrNull(editedAt),
  }))
}

async function eventPayments(db: Db, email: string): Promise<StoredData['eventPayments']> {
  const rows = await db
    .selectFrom('rsvpOrder')
    .selectAll()
    .where('emailKey', '=', nameKey(email))
    .orderBy('createdAt')
    .execute()
  return rows.map((row) => ({
    event: row.title,
    name: row.name,
    guests: row.guests,
    amount: row.amount,
    amountRefunded: row.amountRefunded,
    currency: row.currency,
    startedAt: toIso(row.createdAt),
    paidAt: toIsoOrNull(row.paidAt),
    receiptNumber: row.receiptNumber,
    cardProviderReference: row.paymentReference,
  }))
}

async function history(db: Db, accountId: string): Promise<StoredData['history']> {
  const rows = await db
    .selectFrom('audit')
    .select(['at', 'action'])
    .where('subjectId', '=', accountId)
    .orderBy('at')
    .execute()
  return rows.map(({ at, action }) => ({ at: toIso(at), action }))
}
