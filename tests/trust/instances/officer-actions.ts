import type { ContentValue } from '#contract/console/content.ts'
import type { TrustOfficer } from '#tests/trust/officers.ts'
import { expectStatus, type Visitor } from '#tests/trust/people.ts'

/** Officers with a fresh second factor, and what each is for. */
export interface Officers {
  president: TrustOfficer
  secretary: TrustOfficer
  editor: TrustOfficer
}

/** Publishes a change of a record of content that exists once. */
export async function publish(
  officer: Visitor,
  kind: string,
  change: (value: ContentValue) => ContentValue,
): Promise<void> {
  const path = `/api/console/content/${kind}/all`
  const { value, version } = expectStatus(await officer.get(path), 200, kind).body
  const body = { value: change(value), version, action: 'publish' }
  expectStatus(await officer.call('PUT', path, body), 200, `publish ${kind}`)
}

/** Refunds the only payment of a membership, which ends it. */
export async function endByRefund(officer: Visitor, accountId: string): Promise<void> {
  const path = `/api/console/members/${accountId}`
  const { payments } = expectStatus(await officer.get(path), 200, 'member').body
  const refund = `${path}/payments/${payments[0]?.id}/refund`
  expectStatus(await officer.post(refund, { reason: 'Moved away' }), 200, 'refund')
}

/** @returns the status of the person whose card this is, or null for an unknown code */
export async function scanCard(officer: Visitor, code: string): Promise<string | null> {
  const { card } = expectStatus(await officer.post('/api/console/cards/scan', { code }), 200, 'scan').body
  return card === null ? null : String(card.status)
}
