import { actions } from './audit-action-text.rules.ts'

/** The audit actions about payments, dues and coupons. */
export const MONEY_ACTIONS = {
  ...actions('money', 'account', {
    'payment.recorded': ['recorded a payment by {subject}', 'recorded a payment'],
    'payment.voided': 'canceled the record of a payment by {subject}',
    'payment.corrected': 'corrected the record of a payment by {subject}',
    'payment.credit_gone': 'refunded a payment by {subject}, because the credit applied to it was no longer available',
    'payment.refund_asked': 'refunded a payment by {subject}',
    'payment.returned': 'reported a refund or a dispute of a payment by {subject}',
    'payment.duplicate': 'refunded a second payment by {subject}',
    'payment.too_late': 'refunded a payment by {subject} that arrived too late',
  }),
  ...actions('money', 'none', {
    'payments.imported': 'imported past payments',
    'payments.import_undone': 'undid an import of past payments',
    'subscriptions.imported': 'imported card subscriptions of an earlier system',
    'subscriptions.import_undone': 'undid an import of card subscriptions',
    'payment.unknown': 'found a payment at the card provider that matches no member or order',
    'subscription.stray': 'canceled a subscription at the card provider that matches no membership',
    'payments.exported': 'exported payments',
    'journal.exported': 'exported the journal for the accountant',
    'statements.sent': 'sent the statements of a year to all who paid',
    'payouts.exported': 'exported the payouts of a month',
    'dues.order_changed': 'changed the order of the membership levels',
  }),
  ...actions('money', 'level', {
    'dues.price_planned': 'scheduled a new price for {subject}',
    'dues.price_withdrawn': 'canceled the scheduled price of {subject}',
    'dues.price_changed': 'changed the price of {subject}',
    'dues.level_changed': 'changed the membership level {subject}',
    'dues.level_added': 'added the membership level {subject}',
  }),
  ...actions('money', 'coupon', {
    'coupon.added': 'added the coupon {subject}',
    'coupon.ended': 'ended the coupon {subject}',
    'coupon.refused': 'refused the coupon {subject}',
  }),
}
