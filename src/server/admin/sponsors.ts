import { withApp } from './with-app.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { BENEFIT_KINDS } from '#contract/console/sponsors.ts'
import { formatMoney } from '#contract/money.ts'
import { isFullyRefunded } from '#server/features/orders/payments/refunded-amount.rules.ts'
import { listBenefits } from '#server/features/sponsors/benefits.rules.ts'
import { findSponsorship } from '#server/features/sponsors/orders/sponsorship.commands.ts'
import { listPaidSponsorships } from '#server/features/sponsors/orders/sponsorship.repository.ts'
import { type Sponsorship } from '#server/features/sponsors/orders/sponsorship.queries.ts'
import type { Tools } from './tools.ts'

/** `sponsors list`, `sponsors promises` and `sponsors done ID remarks|table|logo`. */
export async function sponsors([action = 'list', ...args]: readonly string[], tools: Tools): Promise<number> {
  if (action === 'list') return list(tools)
  if (action === 'promises') return promises(tools)
  if (action === 'done') return done(args, tools)
  tools.say('Usage: sponsors [list | promises | done ID remarks|table|logo]')
  return 2
}

async function list({ config, database: { db }, say }: Tools): Promise<number> {
  const paid = await listPaidSponsorships(db)
  for (const sponsorship of paid) {
    const { id, paidAt, receiptNumber, tierName, amount, currency, company, name, email, phone } = sponsorship
    const day = formatLongDate(paidAt ?? 0, config.timeZone)
    const who = `${company}, ${name} <${email}>${phone === null ? '' : ` ${phone}`}`
    say(
      `${id}  ${day}  ${receiptNumber}  ${tierName}  ${formatMoney(amount, currency)}${describeRefund(sponsorship)}  ${who}`,
    )
  }
  say(paid.length === 0 ? 'No sponsorships have been paid yet.' : `${paid.length} paid.`)
  return 0
}

/** Returns the refund or dispute as ' (refunded)', ' (disputed)' and so on; empty without one. */
function describeRefund({ amount, amountRefunded, dispute, currency }: Sponsorship): string {
  if (dispute === 'open') return ' (disputed)'
  if (dispute === 'lost') return ' (dispute lost)'
  if (amountRefunded >= amount) return ' (refunded)'
  return amountRefunded > 0 ? ` (${formatMoney(amountRefunded, currency)} refunded)` : ''
}

async function promises({ database: { db }, say }: Tools): Promise<number> {
  const open = (await listPaidSponsorships(db)).flatMap((sponsorship) =>
    listBenefits(sponsorship)
      .filter(({ keptAt }) => keptAt === null)
      .map(({ kind, text: words }) => ({ ...sponsorship, kind, words })),
  )
  for (const { id, kind, words, company, email } of open) say(`${id}  ${kind}  ${words}  ${company} <${email}>`)
  say(open.length === 0 ? 'All benefits are delivered.' : `${open.length} benefits due.`)
  return 0
}

async function done([id, kind]: readonly string[], tools: Tools): Promise<number> {
  const { database, say } = tools
  const { db } = database
  const benefit = BENEFIT_KINDS.find((known) => known === kind)
  if (!id || !benefit) {
    say('Usage: sponsors done ID remarks|table|logo')
    return 2
  }
  const sponsorship = await findSponsorship(db, id)
  if (sponsorship?.state !== 'paid') {
    say(`There is no paid sponsorship ${id}.`)
    return 1
  }
  if (!listBenefits(sponsorship).some((candidate) => candidate.kind === benefit)) {
    const isRefunded = isFullyRefunded(sponsorship)
    say(`${sponsorship.company} ${isRefunded ? 'was refunded: no benefits are due.' : 'does not have this benefit.'}`)
    return 1
  }
  const isChanged = await withApp(tools, ({ services }) =>
    services.benefits.setDelivered('webmaster', { id, kind: benefit, isKept: true }),
  )
  say(isChanged ? 'Marked as delivered.' : 'It was already delivered.')
  return 0
}
