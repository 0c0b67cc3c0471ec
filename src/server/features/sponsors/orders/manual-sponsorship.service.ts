import type { AppContext } from '#server/app-context.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { faulty, type ManualKind } from '#server/features/orders/payments/manual-kind.registry.ts'
import { manualOrderRows } from '#server/features/orders/payments/manual-order-row.commands.ts'
import { orderPaymentCommands } from '#server/features/orders/order-payment.commands.ts'
import { sendSponsorPaid, sendSponsorThanks } from '../sponsors.emails.ts'
import { logoUntil, priceSponsorship } from './sponsorship.rules.ts'

const payments = orderPaymentCommands('sponsorship', 'sponsorship')

/** Sponsorships that were paid outside the card provider, recorded by officers: a tier with its benefits, or any other amount. */
export function createManualSponsorships(
  { cache, settings, timeZone, yearOf }: AppContext,
  { guard }: { guard: ActAuthorizer },
): ManualKind {
  const rows = manualOrderRows(payments, { guard, yearOf })
  return {
    async plan(tx, row, by, batch) {
      const { email, name, amount, paidAt } = row
      const company = row.company === '' ? name : row.company
      const { tiers } = cache.content()
      const tier = tiers.find((one) => one.name === row.tierName)
      const price = tier?.unitAmount ?? amount
      // A tier brings its benefits, whatever was paid for it.
      const priced = priceSponsorship({ tierName: row.tierName, amount: price }, tiers)
      if (typeof priced === 'string')
        return faulty([{ field: 'tierName', message: 'Please choose a sponsorship' }], company)
      const reference = await rows.refer(tx, { row, by, batch, owner: nameKey(email), payer: company })
      if (typeof reference !== 'string') return reference
      const { tierName, remarksMinutes, reservedTable, hasLogo } = priced
      const logoMonths = hasLogo ? settings().sponsorship.logoMonths : null
      const benefits = [
        ...(remarksMinutes === null ? [] : [`${remarksMinutes} min of remarks`]),
        ...(reservedTable ? ['a reserved table'] : []),
        ...(hasLogo ? ['the logo on the website'] : []),
      ]
      return {
        faults: [],
        payer: company,
        price,
        sentences: [`${tierName} sponsorship${benefits.length === 0 ? '' : ` with ${benefits.join(', ')}`}.`],
        async record(now) {
          const { order, recorded } = rows.orderOf(row, reference, now)
          const { id } = recorded
          const sponsorship = {
            ...order,
            name,
            email,
            company,
            phone: null,
            message: null,
            tierName,
            remarksMinutes,
            remarksDoneAt: null,
            reservedTable: reservedTable ? 1 : 0,
            reservedTableDoneAt: null,
            logoMonths,
            logoUntil: logoUntil(dayOf(paidAt, timeZone), logoMonths),
            logoDoneAt: null,
          }
          await tx.insertInto('sponsorship').values(sponsorship).execute()
          await payments.enterManual(tx, sponsorship, now)
          await rows.audit(tx, row, { by, action: 'sponsorship.recorded', id, now, also: { tier: tierName } })
          await addToOutbox(tx, { effect: sendSponsorThanks, payload: { id }, dedupeKey: `sponsor-thanks:${id}` }, now)
          await addToOutbox(tx, { effect: sendSponsorPaid, payload: { id }, dedupeKey: `sponsor-paid:${id}` }, now)
          return recorded
        },
      }
    },
  }
}
