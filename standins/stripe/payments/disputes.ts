import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { disputeEvidence } from './dispute-evidence.ts'
import { endpoint } from '../endpoint.ts'
import { invalid, noSuch } from '../errors.ts'
import { CREATED_LIST_PARAMS, isWithin, listPage } from '../lists.ts'
import { toId } from '../objects.ts'
import { flag, listOf, mergeMetadata, metadata, objectOf, text } from '../params.ts'

const RESPONSE_DUE_AFTER = 9 * 86_400
/** Stripe's magic values for test disputes: submitted as evidence, they decide the outcome. */
const WINNING = 'winning_evidence'
const LOSING = 'losing_evidence'
const CLOSED: ReadonlySet<string> = new Set(['won', 'lost'])

export const disputeEndpoints = [
  endpoint('GET', '/v1/disputes/:id', { expand: listOf(text) }, (account, _values, { id }) =>
    requireDispute(account, id),
  ),

  endpoint(
    'GET',
    '/v1/disputes',
    { ...CREATED_LIST_PARAMS, charge: text, payment_intent: text },
    (account, { created, charge, payment_intent, ...paging }) =>
      listPage({
        collection: account.disputes,
        what: 'dispute',
        url: '/v1/disputes',
        paging,
        by: [
          { index: 'charge', value: charge },
          { index: 'payment_intent', value: payment_intent },
        ],
        where: (dispute) => isWithin(dispute.created, created),
      }),
  ),

  endpoint(
    'POST',
    '/v1/disputes/:id',
    { evidence: objectOf({ uncategorized_text: text }), expand: listOf(text), metadata, submit: flag },
    (account, { evidence, metadata: given, submit }, { id }) => {
      const dispute = requireOpen(account, id)
      const words = evidence?.uncategorized_text
      const responded = change(account, {
        collection: account.disputes,
        item: dispute,
        fields: {
          evidence: { ...dispute.evidence, uncategorized_text: words ?? dispute.evidence.uncategorized_text },
          metadata: mergeMetadata(dispute.metadata, given),
          ...(submit !== false && words !== undefined && { status: 'under_review' }),
        },
        type: 'charge.dispute.updated',
      })
      if (responded.status !== 'under_review') return responded
      if (words === WINNING) return closeDispute(account, responded, 'won')
      return words === LOSING ? closeDispute(account, responded, 'lost') : responded
    },
  ),

  endpoint('POST', '/v1/disputes/:id/close', { expand: listOf(text) }, (account, _values, { id }) =>
    closeDispute(account, requireOpen(account, id), 'lost'),
  ),
]

/** The cardholder's bank withdraws the charge for now. */
export function openDispute(account: Account, charge: Stripe.Charge): Stripe.Dispute {
  const created = account.seconds()
  const dispute = account.disputes.put({
    id: newId('dp_1'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: disputeEvidence(),
    evidence_details: {
      due_by: created + RESPONSE_DUE_AFTER,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: toId(charge.payment_intent),
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network: 'visa', network_reason_code: '10.4' },
      type: 'card',
    },
    reason: 'fraudulent',
    status: 'needs_response',
  })
  account.charges.put({ ...charge, disputed: true })
  account.emit('charge.dispute.created', dispute)
  account.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

function closeDispute(account: Account, dispute: Stripe.Dispute, status: 'won' | 'lost'): Stripe.Dispute {
  const closed = change(account, {
    collection: account.disputes,
    item: dispute,
    fields: { status },
    type: 'charge.dispute.closed',
  })
  if (status === 'won') account.emit('charge.dispute.funds_reinstated', closed)
  return closed
}

function requireDispute(account: Account, id: string): Stripe.Dispute {
  const dispute = account.disputes.get(id)
  if (!dispute) throw noSuch('dispute', id)
  return dispute
}

function requireOpen(account: Account, id: string): Stripe.Dispute {
  const dispute = requireDispute(account, id)
  if (CLOSED.has(dispute.status)) throw invalid('This dispute is already closed.')
  return dispute
}
