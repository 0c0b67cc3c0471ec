import { formatMoney } from '#contract/money.ts'
import { Box } from '../box.tsx'
import { DownloadButton } from './download-button.tsx'
import { MemberDataProblem, useMemberData } from '../member-data.tsx'
import { getStatements, saveStatement } from './membership-payments.calls.ts'

/** What the member paid in each calendar year, with a statement to print. Nothing before the first payment. */
export function Statements({ version }: { version: unknown }) {
  const statements = useMemberData(getStatements, version)
  const years = statements.step === 'shown' ? statements.value : []
  if (statements.step === 'loading' || (statements.step === 'shown' && years.length === 0)) return null
  return (
    <Box title="Statements" flush footer="Each lists dues, event seats and sponsorships, less refunds.">
      <MemberDataProblem state={statements} what="Your statements" />
      <ul className="account-rows">
        {years.map(({ year, amount, currency }) => (
          <li key={year}>
            <div>
              <strong>Statement for {year}</strong>
            </div>
            <span className="amount">{formatMoney(amount, currency)}</span>
            <DownloadButton
              label={`Download statement for ${year}`}
              what="statement"
              save={() => saveStatement(year)}
            />
          </li>
        ))}
      </ul>
    </Box>
  )
}
