import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { accountPath } from '#web/app/paths.ts'
import { Link } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Box } from '../box.tsx'
import { ReceiptButton } from '../membership/download-button.tsx'
import { MemberDataProblem, useMemberData } from '../member-data.tsx'
import { getPayments } from '../membership/membership-payments.calls.ts'
import { paymentName } from '../membership/membership-payments.rules.ts'

const SHOWN = 3

/** The newest payments of the member, each with its receipt. */
export function LatestReceipts({ version }: { version: unknown }) {
  const payments = useMemberData(getPayments, version)
  const { step } = payments
  const all = step === 'shown' ? payments.value : []
  return (
    <Box title="Receipts" flush aside={all.length > 0 && <Link to={accountPath('membership')}>All {all.length}</Link>}>
      {step === 'loading' && (
        <div className="box-body">
          <Skeleton height="5rem" />
        </div>
      )}
      <MemberDataProblem state={payments} what="Your payments" />
      {step === 'shown' && all.length === 0 && <p className="box-body soft">No payments yet.</p>}
      {all.length > 0 && (
        <ul className="account-rows">
          {all.slice(0, SHOWN).map((payment) => (
            <li key={payment.receiptNumber}>
              <div>
                <strong>{paymentName(payment)}</strong>
                <p>{formatLongDate(payment.chargedAt)}</p>
              </div>
              <span className="amount">{formatMoney(payment.amount, payment.currency)}</span>
              <ReceiptButton number={payment.receiptNumber} />
            </li>
          ))}
        </ul>
      )}
    </Box>
  )
}
