import { region } from '#contract/region.ts'
import type { AppContext } from '#server/app-context.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { errors } from '#contract/errors.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { faulty, findDouble, type ManualKind } from '#server/features/orders/payments/manual-kind.registry.ts'
import { manualReference } from '#server/features/orders/payments/manual-payment.rules.ts'
import { manualOrder, orderPaymentCommands } from '#server/features/orders/order-payment.commands.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import { sendSponsorPaid, sendSponsorThanks } from '../sponsors.emails.ts'
import { logoUntil, priceSponsorship } from './sponsorship.rules.ts'

const payments = orderPaymentCommands('sponsorship', 'sponsorship')
/** Sponsorships that were paid outside the card provider, recorded by officers: a tier with its benefits, or any other amount. */
export function createManualSponsorships(
  { cache, settings, timeZone, yearOf }: AppContext,
  { guard }: { guard: ActAuthorizer },
): ManualKind {
  return {
    async plan(tx, row, by, batch) {
      const { email, name, amount, paidAt, note } = row
      const company = row.company === '' ? name : row.company
      const { tiers } = cache.content()
      const tier = tiers.find((one) => one.name === row.tierName)
      const price = tier?.unitAmount ?? amount
      // A tier brings its benefits, whatever was paid for it.
      const priced = priceSponsorship({ tierName: row.tierName, amount: price }, tiers)
      if (typeof priced === 'string')
        return faulty([{ field: 'tierName', message: 'Please choose a sponsorship' }], company)
      const account = await findAccountByEmail(tx, email)
      const refusal = account && (await guard.refusal(tx, { act: 'recordByHand', by, on: account.id }))
      if (refusal) return faulty([{ field: 'email', message: errors[refusal].message }], company)
      const reference = manualReference(nameKey(email), row)
      const doubles = findDouble(reference, await payments.findManual(tx, reference), batch)
      if (doubles.length > 0) return faulty(doubles, company)
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
          const id = newId(now)
          const number = receiptNumber(id, paidAt, yearOf)
          const paid = {
            id,
            amount,
            currency: region().currency,
            paidAt,
            receiptNumber: number,
            manualReference: reference,
            replacesId: null,
          }
          const sponsorship = {
            ...manualOrder(paid, now),
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
          const details = {
            before: null,
            after: {
              method: row.method,
              reference: row.reference,
              amount,
              paidAt,
              tier: tierName,
              ...(note !== '' && { reason: note }),
            },
          }
          await writeAudit(tx, { actor: by, action: 'sponsorship.recorded', subjectId: id, details }, now)
          await addToOutbox(tx, { effect: sendSponsorThanks, payload: { id }, dedupeKey: `sponsor-thanks:${id}` }, now)
          await addToOutbox(tx, { effect: sendSponsorPaid, payload: { id }, dedupeKey: `sponsor-paid:${id}` }, now)
          return { id, receiptNumber: number }
        },
      }
    },
  }
}
