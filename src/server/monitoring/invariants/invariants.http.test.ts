import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { membershipLife } from '#tests/support/membership-life.ts'
import { openEvent, sayComing } from '#tests/support/events.ts'
import { createCampaign, startMailing } from '#tests/support/newsletter.ts'
import { startSponsoring } from '#tests/support/sponsors.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { suppress } from '#server/features/newsletter/subscribers/subscriber.commands.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { checkIntegrity } from '../integrity.ts'
import type { InvariantTools } from './invariant.ts'
import { invariants } from './all-invariants.ts'

const app = useTestApp({ samples: true })
const life = membershipLife(app)
const secrets = createSecrets('a secret for tests, and for tests only, of fair length')
const FAR = 9_000_000_000_000

function tools(db: InvariantTools['db']): InvariantTools {
  return { db, now: app().now(), secrets, mediaDirectory: `${app().config.dataDirectory}/media` }
}

async function breaches(): Promise<[string, string[]][]> {
  const found: [string, string[]][] = []
  for (const { name, findViolations: find } of invariants) {
    const ids = await find(tools(app().database.db))
    if (ids.length > 0) found.push([name, ids])
  }
  return found
}

/** Members, sponsors and subscribers fill every table with realistic rows. */
beforeAll(async () => {
  await life.join()
  await life.join({ levelKey: 'life_member' })
  const leaver = await life.join({ levelKey: 'medical_student' })
  await leaver.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })
  await app().browser().registerAndStart()
  const { body } = (await startSponsoring(app())).answer
  await app()
    .browser()
    .pay(body.sessionUrl as string)
  await app().drain()
  const eventId = await openEvent(app(), { price: 5_000, capacity: 2 })
  const coming = await sayComing(app(), eventId, 'seats@example.com', { guests: 1 })
  await app()
    .browser()
    .pay(coming.body.payAt as string)
  await app().drain()
  await startMailing(app().database.db, createCampaign())
  await app().drain()
  await suppress(app().database.db, addressHash(secrets, 'reader170@example.org'), 'left', app().now())
}, 60_000)

test('all invariants hold on sample data and after journeys; the engine finds no damage', async () => {
  expect(await breaches()).toEqual([])
  const { damage: damages, checks: asked } = await checkIntegrity(app().database)
  expect(damages).toEqual([])
  expect(asked.length).toBeGreaterThanOrEqual(2)
})

/** One statement per invariant that violates it, the same on both engines. */
const PLANTED: Record<string, string> = {
  'account-has-names': `delete from login_name where name_key = 'annual@example.org'`,
  'closed-account-has-no-names': `update account set deactivated_by = 'self', password_hash = '' where email_key = 'annual@example.org'`,
  'name-has-owner': `insert into login_name (name_key, reserved_until) values ('nobodys', 1)`,
  'one-account-an-address': `update account set email_key = 'annual@example.org' where email_key = 'life@example.org'`,
  'address-as-compared': `update subscriber set email_key = 'Reader001@example.org' where email_key = 'reader001@example.org'`,
  'password-is-hashed': `update account set password_hash = 'monsoon-in-macon' where email_key = 'annual@example.org'`,
  'link-is-hashed': `update one_time_token set token_hash = 'the-token-itself' where id = (select min(id) from one_time_token)`,
  'closed-account-has-no-session': `update session set revoked_at = null`,
  'closed-account-has-no-key': `insert into passkey (id, account_id, credential_id, public_key, counter, transports, name, created_at) values ('p', 'gone', 'c', 'k', 0, '', 'Phone', 1)`,
  'deletion-is-finished': `insert into account_deletion (id, account_id, asked_at) select 'd', id, 1 from account where email_key = 'life@example.org'`,
  'merged-account-is-closed': `insert into account_merge (id, kept_id, merged_id, officer_id, reason, merged_at, changes) select 'g', 'k', id, 'o', 'x', 1, '[]' from account where email_key = 'life@example.org'`,
  'registration-is-kept-whole': `update pending_registration set completed_at = 1, email_key = lower(email) || '.lost', email = email || '.lost'`,
  'one-live-subscription': `insert into membership (id, account_id, level_key, kind, started_at, ends_at, stripe_subscription_id, stripe_status, cancel_at_period_end, updated_at) select 'second', account_id, level_key, kind, started_at, ends_at, 'sub_second', 'active', 0, 1 from membership where stripe_subscription_id is not null limit 1`,
  'no-end-means-lifetime': `update membership set ends_at = null where kind = 'RECURRING'`,
  'past-membership-has-ended': `update membership set is_current = null, ended_at = null where kind = 'ONE_TIME'`,
  'ends-after-it-began': `update membership set ends_at = started_at - 1 where kind = 'RECURRING'`,
  'subscription-has-status': `update membership set stripe_status = null where stripe_subscription_id is not null`,
  'lifetime-without-subscription': `update membership set kind = 'ONE_TIME' where stripe_subscription_id is not null`,
  'membership-has-level': `update payment set level_key = 'gone' where id = (select min(id) from payment)`,
  'account-has-membership': `delete from membership where kind = 'ONE_TIME'`,
  'member-has-present-membership': `update membership set is_current = null, ended_at = updated_at where kind = 'ONE_TIME'`,
  'level-has-price': `update membership_level set unit_amount = -1 where key = 'life_member'`,
  'reminder-is-closed': `insert into membership_reminder (id, account_id, membership_id, kind, about_at, queued_at, state) values ('n', 'a', 'm', 'ended', 1, 1, 'queued')`,
  'reminder-has-proof': `insert into membership_reminder (id, account_id, membership_id, kind, about_at, queued_at, state) values ('n', 'a', 'm', 'ended', 1, 1, 'sent')`,
  'decision-has-evidence': `insert into credential (id, account_id, npi, licence_state, given_at, status) values ('c', 'a', '1', 'GA', 1, 'approved')`,
  'payment-has-order': `update payment set checkout_id = 'gone' where checkout_id is not null`,
  'order-has-payment': `update payment set checkout_id = null, purpose = 'renewal' where checkout_id is not null`,
  'payment-is-the-price': `update payment set amount = amount + 1 where checkout_id is not null`,
  'ledger-is-what-is-kept': `update ledger_entry set amount = amount + 1 where type = 'payment'`,
  'returned-is-part-of-paid': `update payment set amount_refunded = amount + 1, refunded_at = 1 where id = (select min(id) from payment)`,
  'credit-is-part-of-paid': `insert into payment_credit (payment_id, checkout_id, amount, offered_at, taken_at) select id, 'c', amount + 1, 1, 1 from payment where id = (select min(id) from payment)`,
  'canceled-payment-is-explained': `update payment set voided_at = 1 where id = (select min(id) from payment)`,
  'receipt-names-its-payment': `update payment set receipt_number = 'R-2026-00000001' where id = (select min(id) from payment)`,
  'open-order-holds-its-key': `update checkout set open_key = null where state = 'open'`,
  'open-order-is-followed': `update checkout set expires_at = 1 where state = 'open'`,
  'sponsorship-is-whole': `update sponsorship set receipt_number = null where state = 'paid'`,
  'seats-are-not-beyond-capacity': `update rsvp set guests = guests + 1 where status = 'coming'`,
  'seat-is-paid': `update rsvp set guest_price = 1000000 where status = 'coming' and guests > 0`,
  'paid-has-a-seat': `update rsvp set status = 'waiting' where own_price > 0`,
  'paid-without-a-seat-goes-back': `update rsvp_order set is_seated = 0 where state = 'paid'`,
  'seat-order-is-whole': `update rsvp_order set is_seated = null where state = 'paid'`,
  'refund-of-seats-is-done': `insert into refund (id, kind, payment_id, amount, reason, method, asked_by, asked_at) select 'r', 'seats', id, amount, 'cancelled', 'card', 'guest', 1 from rsvp_order`,
  'paying-has-a-deadline': `update rsvp set status = 'paying' where own_price > 0`,
  'webhook-event-is-handled': `insert into stripe_event (id, type, object_id, created_at, received_at) values ('evt', 'invoice.paid', 'sub', 1, 1)`,
  'suppressed-is-not-subscribed': `update subscriber set state = 'subscribed', confirmed_at = 1, email = 'reader170@example.org' where email_key = 'reader001@example.org'`,
  'subscribed-has-confirmed': `update subscriber set confirmed_at = null where state = 'subscribed'`,
  'copy-has-mailing': `delete from mailing`,
  'mailing-has-its-copies': `delete from delivery where email = 'reader001@example.org'`,
  'finished-means-nothing-waits': `update delivery set state = 'waiting'`,
  'copy-in-hand-is-leased': `update delivery set state = 'sending', leased_until = 1`,
  'mailed-is-in-the-archive': `update campaign set sent_at = null`,
  'search-covers-newsletters': `delete from campaign_search where campaign_id = 'november'`,
  'settings-fit': `update content_record set value = '{"graceDays":-1}' where kind = 'settings-membership'`,
  'links-are-addresses': `update content_record set value = replace(value, 'https://', 'javascript:') where kind = 'sponsors'`,
  'json-can-be-read': `update audit set details = '{' where id = (select min(id) from audit)`,
  'pictures-exist': `update content_record set value = replace(value, '"imageKey":"', '"imageKey":"no-such-') where kind = 'news'`,
  'content-has-version': `delete from content_version`,
  'pages-are-there': `delete from content_record where id = 'privacy-policy'`,
  'effect-is-done-or-given-up': `update outbox set dead_at = 1 where done_at is not null`,
  'effect-is-taken-up': `update outbox set done_at = null, due_at = 1, leased_until = 1`,
  'effect-is-not-far-off': `update outbox set done_at = null, due_at = ${FAR}`,
  'import-is-finished': `insert into import_file (id, filename, officer_id, headings, state, sends_invitations, created_at, confirmed_at, confirmed_by) values ('i', 'x.csv', 'o', '[]', 'running', 0, 1, 1, 'o')`,
  'job-comes-round': `update job set due_at = ${FAR}`,
  'limit-ends': `insert into rate_limit (key, count, window_ends_at) values ('x', 1, ${FAR})`,
  'nothing-happened-tomorrow': `update account set created_at = ${FAR}`,
}

class TakenBack extends Error {}

describe('each invariant fails when it is violated', () => {
  test.each(invariants.map((invariant) => [invariant.name, invariant] as const))(
    '%s',
    async (name, { findViolations: find }) => {
      const statement = PLANTED[name]
      expect(statement, 'nothing breaks it').toBeDefined()
      let found: string[] = []
      const work = app()
        .database.db.transaction()
        .execute(async (tx) => {
          const { numAffectedRows } = await sql.raw(statement ?? '').execute(tx)
          expect(Number(numAffectedRows)).toBeGreaterThan(0)
          found = await find(tools(tx))
          throw new TakenBack()
        })
      await expect(work).rejects.toBeInstanceOf(TakenBack)
      expect(found.length).toBeGreaterThan(0)
      // Ids only, no personal data.
      expect(found.join(' ')).not.toMatch(/Meera|monsoon/)
    },
  )
})
