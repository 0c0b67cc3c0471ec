import type { ConsoleMember } from '#contract/console/member.ts'
import type { PaymentRow, PaymentVerdict } from '#contract/console/money/record-payments.ts'
import type { TestBrowser } from '../browser/test-browser.ts'

let keys = 0

/** Records dues of a member outside the card provider, as the form does: checked, then recorded. Resolves with its faults, or the member after it. */
export async function recordDues(
  officer: TestBrowser,
  id: string,
  given: Partial<PaymentRow> & Pick<PaymentRow, 'reference' | 'paidOn'>,
): Promise<{ status: number; code: string | undefined; faults: PaymentVerdict['faults']; member: ConsoleMember }> {
  const look = async () => (await officer.get(`/api/console/members/${id}`)).body as ConsoleMember
  const { email } = await look()
  const rows = [{ kind: 'dues', email, levelKey: 'annual_member', method: 'cheque', amount: '100', ...given }]
  const checked = (await officer.post('/api/console/payments/check', { rows })).body
  const { verdicts, version } = checked as { verdicts: PaymentVerdict[]; version: string }
  const key = `record-dues-${String(++keys).padStart(8, '0')}`
  const recorded = await officer.post('/api/console/payments/record', { rows, version, key })
  const { code } = recorded.body as { code?: string }
  return { status: recorded.status, code, faults: verdicts[0]?.faults ?? [], member: await look() }
}
