import type { AuditKind } from '#contract/console/audit.ts'

/** The kind of record that `subjectId` refers to; determines how its name is resolved and where it links. */
export type AuditSubject =
  | 'account'
  | 'content'
  | 'coupon'
  | 'day'
  | 'document'
  | 'event'
  | 'import'
  | 'level'
  | 'memberEmail'
  | 'message'
  | 'newsletter'
  | 'none'
  | 'picture'
  | 'rsvp'
  | 'rsvpOrder'
  | 'sponsorship'
  | 'subscriber'
  | 'template'

export interface AuditActionText {
  kind: AuditKind
  subject: AuditSubject
  /** Text after the actor's name; `{subject}` is replaced by the subject's name. */
  text: string
  /** Variant used when the actor is the subject. */
  ownText?: string
}

/** Every audit action with its text; a missing action is a compile error. In a pair, the second text is used when the actor is the subject. */
export const AUDIT_ACTIONS = {
  ...actions('members', 'account', {
    'account.created': ['created the account of {subject}', 'created the account'],
    'account.deleted': ['deleted the account of {subject}', 'deleted the account'],
    'account.deletion_failed': [
      'could not delete the account of {subject}: the card provider refused',
      'could not delete the account: the card provider refused',
    ],
    'account.ended': 'ended the account of {subject}',
    'account.end_failed': 'could not end the account of {subject}: the card provider refused',
    'account.disabled': 'disabled the account of {subject}',
    'account.enabled': 'enabled the account of {subject}',
    'account.merged': 'merged another account into {subject}',
    'account.merged_into': 'merged the account of {subject} into another one',
    'account.merge_undone': 'undid a merge of the account of {subject}',
    'account.reset_sent': 'sent {subject} a link to choose a new password',
    'approval.asked': 'asked a second officer to approve an action on the account of {subject}',
    'approval.approved': 'approved an action on the account of {subject}',
    'approval.declined': 'declined an action on the account of {subject}',
    'approval.withdrawn': 'withdrew a request about the account of {subject}',
    'approval.expired': 'recorded that a request about the account of {subject} expired',
    'email.change_asked': 'asked {subject} to confirm a new email address',
    'email.change_withdrawn': 'withdrew the change of the email address of {subject}',
    'email.change_stopped': [
      'stopped the change of the email address of {subject}',
      'stopped the change of the email address',
    ],
    'email.changed': ['changed the email address of {subject}', 'changed the email address'],
    'password.changed': ['changed the password of {subject}', 'changed the password'],
    'password.reset': ['reset the password of {subject}', 'reset the password with a link from an email'],
    'profile.changed': ['changed the profile of {subject}', 'changed the profile'],
    'directory.chosen': ['changed the directory entry of {subject}', 'changed the directory entry'],
    'directory.removed': ['took {subject} out of the directory', 'took the member out of the directory'],
    'directory.message_reported': ['reported a message of {subject}', 'reported a message'],
    'card.replaced': ['gave the card of {subject} a new code', 'gave the membership card a new code'],
    'card.revoked': 'revoked the card of {subject}',
    'record.changed': ['changed the record of {subject}', 'changed the record'],
    'record.confirmed': ['confirmed the record of {subject}', 'confirmed the record'],
    'sessions.ended': ['signed {subject} out everywhere', 'signed out everywhere'],
    'email.sent_again': 'sent {subject} an email again',
    'renewal_link.sent': 'sent {subject} a link to renew the membership',
    'note.added': 'added a note about {subject}',
    'note.changed': 'changed a note about {subject}',
    'note.deleted': 'deleted a note about {subject}',
    'note.restored': 'restored a note about {subject}',
    'receipt.sent_again': 'sent {subject} a receipt again',
    'member_view.started': 'started viewing the site as {subject}',
    'member_view.ended': 'stopped viewing the site as {subject}',
    'member.added': 'added {subject} as a member',
    'member.imported': 'imported {subject}',
    'member.changed_by_import': 'changed {subject} by an import',
    'member.import_undone': 'undid the import of {subject}',
    'credentials.given': ['submitted the credentials of {subject}', 'submitted credentials'],
    'credentials.asked': 'asked {subject} a question about the credentials',
    'credentials.approved': 'approved the credentials of {subject}',
    'credentials.declined': 'declined the credentials of {subject}',
    'credentials.confirmed': 'checked the credentials of {subject} again and confirmed them',
    'credentials.withdrawn': 'withdrew the approval of the credentials of {subject}',
    'membership.started': ['started a membership of {subject}', 'started a membership'],
    'membership.renewed': ['renewed the membership of {subject}', 'renewed the membership'],
    'membership.changed': 'changed the membership of {subject}',
    'membership.repaired': 'corrected the membership of {subject} during reconciliation',
    'membership.shortened': 'shortened the membership of {subject}',
    'membership.resumed': 'resumed the earlier membership of {subject}',
    'membership.ended': 'ended the membership of {subject}',
    'membership.expired': 'recorded that the membership of {subject} expired',
    'membership.canceled': 'recorded that the canceled membership of {subject} ended',
    'membership.stop_asked': 'stopped the renewal of the membership of {subject}',
  }),
  ...actions('members', 'none', {
    'members.exported': 'exported the list of members',
    'members.bulk_started': 'started an action on many members',
    'members.bulk_undone': 'undid an action on many members',
    'report.exported': 'exported the report of members',
  }),
  ...actions('members', 'import', {
    'members.import_confirmed': 'imported members from {subject}',
    'members.import_undone': 'undid the import of {subject}',
  }),
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
  ...actions('events', 'event', {
    'event.called_off': 'canceled the event {subject}',
    'event.closed': 'closed the event {subject} and issued its certificates',
    'event-offer.saved': 'changed the RSVP settings of {subject}',
    'event.copied': 'copied the event {subject}',
    'event.message_sent': 'sent a message to guests of {subject}',
    'event.notes_saved': 'changed what the emails about {subject} also say',
    'rsvp.exported': 'exported the RSVPs of {subject}',
  }),
  ...actions('events', 'rsvp', {
    'rsvp.checked-in': 'checked in {subject}',
    'rsvp.check-in-undone': 'undid the check-in of {subject}',
    'rsvp.lapsed': 'released the unpaid seats of {subject}',
    'rsvp.refunded': 'refunded the seats of {subject}',
    'rsvp.added': 'added {subject}',
    'rsvp.offered': 'offered a seat to {subject}',
    'rsvp.removed': 'removed the RSVP of {subject}',
    'rsvp.walk-in': 'added {subject} at check-in',
  }),
  ...actions('events', 'rsvpOrder', {
    'rsvp-payment.paid': 'paid for the seats of {subject}',
    'rsvp-payment.refund_asked': 'refunded the payment of {subject}',
    'rsvp-payment.refund_asked_again': 'retried the refund of {subject}',
    'rsvp-payment.recorded': 'recorded a payment for the seats of {subject}',
    'rsvp-payment.receipt_sent': 'sent {subject} a receipt again',
    'rsvp-payment.voided': 'canceled the record of the payment of {subject}',
    'rsvp-payment.corrected': 'corrected the record of the payment of {subject}',
    'rsvp-payment.returned': 'reported a refund or a dispute of the payment of {subject}',
  }),
  ...actions('website', 'content', {
    'content.draft': 'saved a draft of {subject}',
    'content.published': 'published {subject}',
    'content.scheduled': 'scheduled the publication of {subject}',
    'content.held': 'held the scheduled publication of {subject}',
    'content.restored': 'restored an earlier version of {subject}',
    'content.unpublished': 'took {subject} off the site',
    'content.deleted': 'deleted {subject}',
    'content.picture-replaced': 'replaced a picture in {subject}',
  }),
  ...actions('website', 'document', {
    'document.added': 'added the document {subject}',
    'document.replaced': 'replaced the file of the document {subject}',
    'document.renamed': 'renamed the document {subject}',
    'document.restored': 'restored an earlier file of the document {subject}',
    'document.deleted': 'deleted the document {subject}',
  }),
  ...actions('website', 'picture', {
    'picture.ordered': 'changed the order of the pictures in {subject}',
    'picture.named': 'renamed the picture {subject}',
    'picture.added': 'added the picture {subject}',
    'picture.described': 'changed the description of the picture {subject}',
    'picture.cropped': 'cropped the picture {subject}',
    'picture.uncropped': 'removed the crop of the picture {subject}',
    'picture.replaced': 'replaced the picture {subject}',
    'picture.deleted': 'deleted the picture {subject}',
  }),
  ...actions('newsletter', 'newsletter', {
    'newsletter.begun': 'started the newsletter {subject}',
    'newsletter.tested': 'sent a test email of the newsletter {subject}',
    'newsletter.scheduled': 'scheduled the newsletter {subject}',
    'newsletter.held': 'held the scheduled newsletter {subject}',
    'newsletter.unscheduled': 'canceled the schedule of the newsletter {subject}',
    'newsletter.sent': 'sent the newsletter {subject}',
    'newsletter.paused': 'paused the newsletter {subject}',
    'newsletter.resumed': 'resumed the newsletter {subject}',
    'newsletter.sent-again': 'retried the uncertain emails of the newsletter {subject}',
    'newsletter.picture-replaced': 'replaced a picture in the newsletter {subject}',
  }),
  ...actions('newsletter', 'memberEmail', {
    'member_email.begun': 'started the email to members {subject}',
    'member_email.tested': 'sent a test of the email to members {subject}',
    'member_email.scheduled': 'scheduled the email to members {subject}',
    'member_email.held': 'held the scheduled email to members {subject}',
    'member_email.unscheduled': 'canceled the schedule of the email to members {subject}',
    'member_email.sent': 'sent the email to members {subject}',
    'member_email.paused': 'paused the email to members {subject}',
    'member_email.resumed': 'resumed the email to members {subject}',
    'member_email.sent-again': 'retried the uncertain copies of the email to members {subject}',
    'member_email.picture-replaced': 'replaced a picture in the email to members {subject}',
    'member_email.post-exported': 'exported names and postal addresses of the post pile of {subject}',
    'member_email.posted': 'recorded that the post pile of {subject} was posted',
    'member_email.sealed': 'sealed the proof of sending of {subject}',
    'member_email.proof-exported': 'exported the proof of sending of {subject}',
  }),
  ...actions('newsletter', 'none', {
    'subscribers.imported': 'imported subscribers of the newsletter',
    'subscribers.exported': 'exported subscribers of the newsletter',
  }),
  ...actions('newsletter', 'subscriber', {
    'subscriber.asked': 'invited {subject} to the newsletter',
    'subscriber.taken-off': 'unsubscribed {subject} from the newsletter',
  }),
  ...actions('messages', 'message', {
    'message.noted': 'added a note to the message of {subject}',
    'message.assigned': 'assigned the message from {subject}',
    'message.answered': 'answered the message from {subject}',
    'message.settled': 'marked the message from {subject} as answered',
    'message.reopened': 'reopened the message from {subject}',
    'message.called-spam': 'marked the message from {subject} as spam',
  }),
  ...actions('messages', 'template', {
    'template.added': 'added the answer template {subject}',
    'template.changed': 'changed the answer template {subject}',
    'template.removed': 'deleted the answer template {subject}',
  }),
  ...actions('sponsors', 'sponsorship', {
    'sponsorship.paid': 'paid for the sponsorship of {subject}',
    'sponsorship.recorded': 'recorded the sponsorship of {subject}',
    'sponsorship.refund_asked': 'refunded the sponsorship of {subject}',
    'sponsorship.voided': 'canceled the record of the sponsorship of {subject}',
    'sponsorship.corrected': 'corrected the record of the sponsorship of {subject}',
    'sponsorship.returned': 'reported a refund or a dispute of the sponsorship of {subject}',
    'sponsor.receipt-sent': 'sent {subject} the receipt again',
    'promise.deadline_set': 'changed the deadline of a benefit of {subject}',
    'promise.kept': 'marked a benefit of {subject} as delivered',
    'promise.reopened': 'marked a benefit of {subject} as not delivered yet',
  }),
  ...actions('sponsors', 'day', {
    'run-of-show.changed': 'changed the run of show of {subject}',
  }),
  ...actions('officers', 'account', {
    'officer.created': 'made {subject} the first officer',
    'role.given': 'assigned {subject} a role',
    'role.ended': 'removed a role from {subject}',
    'second-factor.confirmed': ['set up an authenticator app for {subject}', 'set up an authenticator app'],
    'second-factor.removed': ['removed the authenticator app of {subject}', 'removed the authenticator app'],
    'second-factor.forgotten': 'removed the second factor of {subject}',
    'recovery-code.used': ['used a recovery code of {subject}', 'used a recovery code'],
    'recovery-codes.renewed': ['generated new recovery codes for {subject}', 'generated new recovery codes'],
    'passkey.added': ['added a passkey for {subject}', 'added a passkey'],
    'passkey.renamed': ['renamed a passkey of {subject}', 'renamed a passkey'],
    'passkey.removed': ['removed a passkey of {subject}', 'removed a passkey'],
    'passkey.out-of-turn': [
      'used a passkey of {subject} whose counter went backward, so it may have been copied',
      'used a passkey whose counter went backward, so it may have been copied',
    ],
  }),
  ...actions('officers', 'none', {
    'audit.exported': 'exported the audit log',
    'roll_over.begun': 'started the roll-over to a new year',
    'roll_over.scheduled': 'scheduled the roll-over to a new year',
    'roll_over.held': 'canceled the schedule of the roll-over',
    'roll_over.discarded': 'discarded the prepared roll-over',
    'roll_over.done': 'carried out the roll-over to a new year',
    'roll_over.undone': 'undid the roll-over to a new year',
  }),
}

export type AuditAction = keyof typeof AUDIT_ACTIONS

export function listAuditActions(kind: AuditKind): AuditAction[] {
  return (Object.keys(AUDIT_ACTIONS) as AuditAction[]).filter((action) => AUDIT_ACTIONS[action].kind === kind)
}

/** Returns null for an action of an older release that is no longer written. */
export function auditActionText(action: string): AuditActionText | null {
  return Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction] : null
}

function actions<Action extends string>(
  kind: AuditKind,
  subject: AuditSubject,
  texts: Record<Action, string | readonly [text: string, own: string]>,
): Record<Action, AuditActionText> {
  const pairs = Object.entries<string | readonly [string, string]>(texts)
  const entries = pairs.map(([action, text]): [string, AuditActionText] => {
    if (typeof text === 'string') return [action, { kind, subject, text }]
    return [action, { kind, subject, text: text[0], ownText: text[1] }]
  })
  return Object.fromEntries(entries) as Record<Action, AuditActionText>
}
