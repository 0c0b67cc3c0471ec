import { formatLongDate } from '#contract/dates.ts'
import { PROMISES } from '#contract/console-sponsors.ts'
import { formatMoney } from '#contract/money.ts'
import { isWhollyReturned } from '../features/membership/payment-return.rules.ts'
import { promisesOf } from '../features/sponsors/promises.rules.ts'
import { createPromisesService } from '../features/sponsors/promises.service.ts'
import { findSponsorship, listPaidSponsorships, type Sponsorship } from '../features/sponsors/sponsorship.repository.ts'
import type { Tools } from './tools.ts'

/** `sponsors list`, `sponsors promises` and `sponsors done ID remarks|table|logo`. */
export async function sponsors([action = 'list', ...words]: readonly string[], tools: Tools): Promise<number> {
  if (action === 'list') return list(tools)
  if (action === 'promises') return promises(tools)
  if (action === 'done') return done(words, tools)
  tools.say('Say "sponsors list", "sponsors promises" or "sponsors done ID remarks|table|logo".')
  return 2
}

async function list({ config, database: { db }, say }: Tools): Promise<number> {
  const paid = await listPaidSponsorships(db)
  for (const sponsorship of paid) {
    const { id, paidAt, receiptNumber, tierName, amount, currency, company, name, email, phone } = sponsorship
    const day = formatLongDate(paidAt ?? 0, config.timeZone)
    const who = `${company}, ${name} <${email}>${phone === null ? '' : ` ${phone}`}`
    say(
      `${id}  ${day}  ${receiptNumber}  ${tierName}  ${formatMoney(amount, currency)}${returned(sponsorship)}  ${who}`,
    )
  }
  say(paid.length === 0 ? 'Nobody has paid yet.' : `${paid.length} paid.`)
  return 0
}

/** ' (refunded)', ' (disputed)': what became of the money, where there is something to tell. */
function returned({ amount, amountRefunded, dispute, currency }: Sponsorship): string {
  if (dispute === 'open') return ' (disputed)'
  if (dispute === 'lost') return ' (lost to the bank)'
  if (amountRefunded >= amount) return ' (refunded)'
  return amountRefunded > 0 ? ` (${formatMoney(amountRefunded, currency)} refunded)` : ''
}

async function promises({ database: { db }, say }: Tools): Promise<number> {
  const open = (await listPaidSponsorships(db)).flatMap((sponsorship) =>
    promisesOf(sponsorship)
      .filter(({ keptAt }) => keptAt === null)
      .map(({ kind, words }) => ({ ...sponsorship, kind, words })),
  )
  for (const { id, kind, words, company, email } of open) say(`${id}  ${kind}  ${words}  ${company} <${email}>`)
  say(open.length === 0 ? 'Every promise is kept.' : `${open.length} to keep.`)
  return 0
}

async function done([id, kind]: readonly string[], { database: { db }, clock, say }: Tools): Promise<number> {
  const promise = PROMISES.find((known) => known === kind)
  if (!id || !promise) {
    say('Say "sponsors done ID remarks", "sponsors done ID table" or "sponsors done ID logo".')
    return 2
  }
  const sponsorship = await findSponsorship(db, id)
  if (sponsorship?.state !== 'paid') {
    say(`There is no paid sponsorship ${id}.`)
    return 1
  }
  if (!promisesOf(sponsorship).some((one) => one.kind === promise)) {
    const isReturned = isWhollyReturned(sponsorship)
    say(
      `${sponsorship.company} ${isReturned ? 'has the money back: nothing is to be kept.' : 'was not promised that.'}`,
    )
    return 1
  }
  const promises = createPromisesService({ db, clock, wakeOutbox() {} })
  const isChanged = await promises.keep('webmaster', { id, kind: promise, isKept: true })
  say(isChanged ? 'Kept.' : 'It was kept before.')
  return 0
}
