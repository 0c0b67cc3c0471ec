import type { listPayments } from '#contract/console/money/payments.ts'
import { KIND_NAMES } from '#contract/console/money/payments.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { ledgerMoney } from './ledger-format.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Link } from '#web/ui/link.tsx'

/** The sums of everything the list shows, and what waits for the treasurer. */
export function PaymentSumsBox({ found }: { found: ReplyOf<typeof listPayments> }) {
  const { sums, kinds, currency, failing, refundsDue } = found
  const money = (cents: number) => ledgerMoney(cents, currency)
  const all = kinds.reduce((sum, { revenue }) => sum + Math.max(0, revenue), 0)
  return (
    <>
      <div className="box money-sums">
        <dl>
          <Sum label="Received" amount={money(sums.received)} detail={count(sums.payments, 'payment')} />
          <Sum label="Refunded" amount={money(-sums.refunded)} detail={count(sums.refunds, 'refund')} />
          <Sum label="Revenue" amount={money(sums.revenue)} detail="Received less refunded" />
        </dl>
        <div className="money-kinds">
          <div className="money-meter" aria-hidden="true">
            {kinds.map(({ kind, revenue }) => (
              <i
                key={kind}
                data-kind={kind}
                style={{ width: `${all === 0 ? 0 : (Math.max(0, revenue) / all) * 100}%` }}
              />
            ))}
          </div>
          <ul>
            {kinds.map(({ kind, revenue }) => (
              <li key={kind} data-kind={kind}>
                {KIND_NAMES[kind]} <b>{money(revenue)}</b>
              </li>
            ))}
          </ul>
        </div>
      </div>
      {refundsDue > 0 && (
        <Banner tone="warn">
          {refundsDue === 1 ? '1 refund by hand is due' : `${refundsDue} refunds by hand are due`}: someone canceled
          seats that were not paid by card. Return the money, then record the refund on the payment’s page.
        </Banner>
      )}
      {failing > 0 && (
        <p>
          <Link to="/console/members?status=PAST_DUE">
            {failing === 1 ? '1 member’s card is failing' : `${failing} members’ cards are failing`}
          </Link>
        </p>
      )}
    </>
  )
}

function Sum({ label, amount, detail }: { label: string; amount: string; detail: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b>{amount}</b>
        <small>{detail}</small>
      </dd>
    </div>
  )
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`
}
