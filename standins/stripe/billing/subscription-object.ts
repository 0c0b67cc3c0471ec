import type { Stripe } from 'stripe'
import { listObject } from '../objects.ts'
import type { NewSubscription } from './subscriptions.ts'

export const NO_DETAILS = { comment: null, feedback: null, feedback_option: null, reason: null }

type SubscriptionParts = {
  id: string
  now: number
  end: number
  items: Stripe.SubscriptionItem[]
  parts: NewSubscription
}

export function newSubscription({ id, now, end, items, parts }: SubscriptionParts): Stripe.Subscription {
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'classic' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: parts.cancelAtPeriodEnd ? end : null,
    cancel_at_period_end: parts.cancelAtPeriodEnd,
    canceled_at: parts.cancelAtPeriodEnd ? now : null,
    cancellation_details: NO_DETAILS,
    collection_method: parts.collection.method,
    created: now,
    currency: items[0]!.price.currency,
    customer: parts.customer.id,
    customer_account: null,
    days_until_due: parts.collection.daysUntilDue,
    default_payment_method: parts.method?.id ?? null,
    default_source: null,
    default_tax_rates: [],
    description: parts.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listObject(`/v1/subscription_items?subscription=${id}`, items),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: parts.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: null,
  }
}
