import { createHash } from 'node:crypto'
import {
  SUBSCRIPTION_IMPORT_MAX,
  SUBSCRIPTION_ROWS_SHOWN,
  type importSubscriptions,
  type reviewSubscriptions,
  type SubscriptionReview,
  type SubscriptionRow,
} from '#contract/console/money/subscription-imports.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { termMonths } from '#contract/level-terms.ts'
import type { AppContext } from '#server/app-context.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Tx } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { moneyCell, writeCsv } from '#server/lib/csv/csv.ts'
import { newId } from '#server/lib/ids.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { PaymentProviderError, type ForeignSubscription } from '#server/stripe/payment-gateway.ts'
import { findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import { saveEarlierLevel } from '#server/features/levels/level.commands.ts'
import { listEarlierLevels, listLevels, type Level } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { earlierPriceKey, earlierPrices, isLevelForSubscriptions } from './earlier-prices.rules.ts'
import { importSubscription } from './subscription-import.effects.ts'
import {
  listKnownSubscriptions,
  saveSubscriptionImport,
  type WantedSubscription,
} from './subscription-import.repository.ts'
import { isCharging, judgeSubscription } from './subscription-verdict.rules.ts'

interface Judged {
  row: SubscriptionRow
  /** null if it is not imported. */
  wanted: WantedSubscription | null
}

const IMPORTED = new Set<SubscriptionRow['verdict']>(['ready', 'ending'])

/** Reviews the subscriptions in the account at the card provider, and starts their import. */
export function createSubscriptionReviews(
  { db, clock, gateway, timeZone, graceMs, wakeOutbox }: AppContext,
  { guard }: { guard: ActAuthorizer },
) {
  /** @throws Problem PROVIDER_AWAY */
  async function read(): Promise<ForeignSubscription[]> {
    try {
      return await gateway.listForeignSubscriptions(SUBSCRIPTION_IMPORT_MAX + 1)
    } catch (error) {
      if (error instanceof PaymentProviderError) throw new Problem('PROVIDER_AWAY')
      throw error
    }
  }

  async function accountOf(tx: Tx, by: Officer, email: string | null) {
    const account = email === null ? null : await findAccountByEmail(tx, email)
    if (!account) return null
    return {
      id: account.id,
      name: `${account.firstName} ${account.lastName}`,
      isClosed: account.deactivatedBy !== null,
      refusal: await guard.refusal(tx, { act: 'recordPayments', by: by.accountId, on: account.id }),
      membership: await findCurrentMembership(tx, account.id),
    }
  }

  /** The verdict of every subscription, in the order of addresses. */
  async function judge(tx: Tx, by: Officer, subscriptions: readonly ForeignSubscription[]) {
    const levels = await listLevels(tx)
    const known = await listKnownSubscriptions(tx)
    const prices = earlierPrices(subscriptions, { levels, chosen: await listEarlierLevels(tx) })
    const byKey = new Map(prices.map((price) => [price.key, price]))
    // Donations and the like, whose price is left out, do not stand in the way of a membership.
    const considered = subscriptions.filter(
      (one) => isCharging(one) && !known.has(one.snapshot.id) && byKey.get(earlierPriceKey(one))?.choice !== 'left-out',
    )
    const sameEmail = countBy(considered, ({ email }) => nameKey(email ?? ''))
    const moment = { now: clock.now(), graceMs: graceMs(), timeZone }
    const judged: Judged[] = []
    for (const subscription of subscriptions) {
      const { snapshot, email, name, currency } = subscription
      const price = byKey.get(earlierPriceKey(subscription))
      const level = levels.find(({ key }) => key === price?.levelKey) ?? null
      const account = await accountOf(tx, by, email)
      const { verdict, sentence } = judgeSubscription(
        subscription,
        {
          isKnown: known.has(snapshot.id),
          withSameEmail: sameEmail.get(nameKey(email ?? '')) ?? 0,
          choice: price?.choice ?? 'none',
          level,
          account,
        },
        moment,
      )
      const isImported = IMPORTED.has(verdict) && account !== null && level !== null && snapshot.renewalAmount !== null
      judged.push({
        row: {
          subscriptionId: snapshot.id,
          email: email ?? '',
          name: account?.name ?? '',
          price: name,
          amount: snapshot.renewalAmount,
          currency,
          periodEndsAt: new Date(snapshot.periodEndsAt).toISOString(),
          verdict,
          sentence,
        },
        wanted: isImported
          ? {
              subscriptionId: snapshot.id,
              accountId: account.id,
              customerId: snapshot.customerId,
              levelKey: level.key,
              amount: snapshot.renewalAmount ?? 0,
            }
          : null,
      })
    }
    judged.sort(
      (a, b) => a.row.email.localeCompare(b.row.email) || a.row.subscriptionId.localeCompare(b.row.subscriptionId),
    )
    return { judged, prices, levels }
  }

  return {
    /** A dry run, which remembers the choices. @throws Problem PROVIDER_AWAY, INVALID_INPUT for a level that cannot be chosen */
    async review(by: Officer, { choices }: BodyOf<typeof reviewSubscriptions>): Promise<SubscriptionReview> {
      const found = await read()
      const subscriptions = found.slice(0, SUBSCRIPTION_IMPORT_MAX)
      const offered = new Set(subscriptions.map(earlierPriceKey))
      return db.transaction().execute(async (tx) => {
        const before = await listLevels(tx)
        for (const { key, levelKey } of choices) {
          const isLevel = before.some((level) => level.key === levelKey && isLevelForSubscriptions(level))
          if (levelKey !== null && !isLevel)
            throw fieldProblem('choices', 'This level is no longer there, or is not charged by card. Review again.')
          if (offered.has(key)) await saveEarlierLevel(tx, { earlier: key, levelKey }, clock.now())
        }
        const { judged, prices, levels } = await judge(tx, by, subscriptions)
        const rows = judged.map(({ row }) => row)
        const count = (verdict: SubscriptionRow['verdict']) => rows.filter((row) => row.verdict === verdict).length
        return {
          digest: digestOf(judged),
          prices,
          levels: levels.filter(isLevelForSubscriptions).map(toChoice),
          counts: {
            ready: count('ready'),
            ending: count('ending'),
            ours: count('ours'),
            leftOut: count('left-out'),
            wrong: count('wrong'),
          },
          imported: rows.filter(({ verdict }) => IMPORTED.has(verdict)).slice(0, SUBSCRIPTION_ROWS_SHOWN),
          skipped: rows
            .filter(({ verdict }) => verdict === 'wrong' || verdict === 'left-out')
            .slice(0, SUBSCRIPTION_ROWS_SHOWN),
          verdicts: writeVerdicts(rows, timeZone),
          hasMore: found.length > subscriptions.length,
        }
      })
    },

    /** Starts the import of what was reviewed. @throws Problem PROVIDER_AWAY, CHANGED_MEANWHILE */
    async import(
      by: Officer,
      { digest }: BodyOf<typeof importSubscriptions>,
    ): Promise<ReplyOf<typeof importSubscriptions>> {
      const subscriptions = (await read()).slice(0, SUBSCRIPTION_IMPORT_MAX)
      const now = clock.now()
      const wanted = await db.transaction().execute(async (tx) => {
        const { judged } = await judge(tx, by, subscriptions)
        if (digestOf(judged) !== digest) throw new Problem('CHANGED_MEANWHILE')
        const rows = judged.flatMap((one) => one.wanted ?? [])
        if (rows.length === 0) return rows
        const file = { id: newId(now), importedAt: now, importedBy: by.accountId }
        await saveSubscriptionImport(tx, file, rows)
        for (const { subscriptionId } of rows) {
          const payload = { importId: file.id, subscriptionId }
          await addToOutbox(tx, { effect: importSubscription, payload }, now)
        }
        const details = { batch: file.id, subscriptions: rows.length }
        const entry = { actor: by.accountId, action: 'subscriptions.imported' as const, subjectId: file.id, details }
        await writeAudit(tx, entry, now)
        return rows
      })
      if (wanted.length > 0) wakeOutbox()
      return { subscriptions: wanted.length }
    },
  }
}

export type SubscriptionReviews = ReturnType<typeof createSubscriptionReviews>

function toChoice(level: Level): SubscriptionReview['levels'][number] {
  const { key, name, unitAmount: amount, currency } = level
  return { key, name, amount, currency, months: termMonths(level) ?? 0 }
}

/** What would be imported, and when and at what price each renews. */
function digestOf(judged: readonly Judged[]): string {
  const parts = judged.flatMap(({ wanted, row }) => (wanted ? [[wanted, row.periodEndsAt, row.verdict]] : []))
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

function writeVerdicts(rows: readonly SubscriptionRow[], timeZone: string): string {
  const head = ['Email', 'Member', 'Price', 'Amount', 'Currency', 'Term ends', 'Subscription', 'What happens']
  const lines = rows.map(({ email, name, price, amount, currency, periodEndsAt, subscriptionId, sentence }) => [
    email,
    name,
    price,
    amount === null ? '' : moneyCell(amount),
    currency.toUpperCase(),
    dayOf(Date.parse(periodEndsAt), timeZone),
    subscriptionId,
    sentence,
  ])
  return writeCsv([head, ...lines])
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}
