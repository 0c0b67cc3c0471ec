import type { Stripe } from 'stripe'
import type { HttpReply, HttpRequest } from '../http.ts'
import { isJson, json, page, postedFields, seeOther } from '../http.ts'
import type { Account } from '../stripe/account.ts'
import { toId } from '../stripe/objects.ts'
import { defaultConfiguration } from '../stripe/checkout/portal-configurations.ts'
import type { PortalResult } from '../stripe/checkout/portal-actions.ts'
import {
  cancelOrResume,
  changePlan,
  customerSubscriptions,
  listAvailablePlans,
  updateCard,
} from '../stripe/checkout/portal-actions.ts'
import { paymentMethodFor } from '../stripe/billing/subscriptions.ts'
import { html } from './html.ts'
import type { Markup } from './html.ts'
import { day, layout, money } from './layout.ts'

const STAND_IN = 'Stand-in for the billing portal. No money moves.'
/** Portal links are short-lived. */
const LINK_LIFE_SECONDS = 3600

/**
 * Serves `/portal/{id}`; `POST /portal/{id}/card|plan|cancel|resume` accepts a form or JSON (`{ card }`, `{ price, subscription? }`, `{ subscription? }`). JSON
 * calls return `{ message, redirectTo }`.
 */
export function servePortal(account: Account, request: HttpRequest): HttpReply {
  const [, , id = '', action] = request.path.split('/')
  const session = account.portalSessions.get(decodeURIComponent(id))
  if (!session || session.created + LINK_LIFE_SECONDS < account.seconds())
    return page(session ? 410 : 404, expiredPage(session))
  if (action === undefined) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405, headers: { allow: 'GET' } }
    return page(200, portalPage(account, session, { done: request.query.get('done') ?? undefined }))
  }
  if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
  const result = act(account, session, { action, fields: postedFields(request) })
  if (result === null) return page(404, expiredPage(session))
  const after = session.flow?.after_completion
  const redirectTo =
    'done' in result && after?.type === 'redirect' && after.redirect
      ? after.redirect.return_url
      : `/portal/${session.id}${'done' in result ? `?done=${encodeURIComponent(result.done)}` : ''}`
  if (isJson(request)) {
    return 'done' in result
      ? json(200, { message: result.done, redirectTo })
      : json(402, { error: 'refused', message: result.refused })
  }
  return 'done' in result ? seeOther(redirectTo) : page(200, portalPage(account, session, result))
}

type Act = { action: string; fields: Record<string, string> }

function act(account: Account, session: Stripe.BillingPortal.Session, { action, fields }: Act): PortalResult | null {
  const { features } = findConfiguration(account, session)
  if (action === 'card') return updateCard(account, session, fields['card'] ?? '')
  const subscriptions = customerSubscriptions(account, session)
  const requested = fields['subscription']
  const subscription = requested ? subscriptions.find(({ id }) => id === requested) : subscriptions[0]
  if (!subscription) return { refused: 'There is no subscription to change.' }
  if (action === 'plan') return changePlan(account, { features, subscription, priceId: fields['price'] ?? '' })
  if (action === 'cancel' || action === 'resume') return cancelOrResume(account, { features, subscription, action })
  return null
}

function findConfiguration(
  account: Account,
  session: Stripe.BillingPortal.Session,
): Stripe.BillingPortal.Configuration {
  return account.portalConfigurations.get(toId(session.configuration)!) ?? defaultConfiguration(account)
}

type Notice = { done?: string | undefined; refused?: string }

function portalPage(account: Account, session: Stripe.BillingPortal.Session, { done, refused }: Notice): string {
  const { features } = findConfiguration(account, session)
  const flow = session.flow
  const only = flow?.type
  const subject =
    flow?.subscription_update?.subscription ??
    flow?.subscription_cancel?.subscription ??
    flow?.subscription_update_confirm?.subscription
  const subscriptions = customerSubscriptions(account, session).filter(
    ({ id }) => subject === undefined || id === subject,
  )
  const confirmed = flow?.subscription_update_confirm?.items.map(({ price }) => price)
  const sections = subscriptions.map((subscription) =>
    subscriptionSection(account, session, {
      subscription,
      offers:
        only === undefined || only.startsWith('subscription_update')
          ? listAvailablePlans(account, features, subscription).filter(
              ({ price }) => !confirmed || confirmed.includes(price.id),
            )
          : [],
      mayCancel: features.subscription_cancel.enabled && (only === undefined || only === 'subscription_cancel'),
    }),
  )
  const mayUpdateCard =
    features.payment_method_update.enabled && (only === undefined || only === 'payment_method_update')
  return layout({
    title: 'Billing',
    standIn: STAND_IN,
    body: html`<h1>Billing</h1>
      ${done ? html`<p class="done" role="status">${done}</p>` : null}
      ${refused ? html`<p class="error" role="alert">${refused}</p>` : null} ${sections}
      ${sections.length === 0 && only !== 'payment_method_update' ? html`<p>There is no active subscription.</p>` : null}
      ${mayUpdateCard ? cardSection(session) : null}
      ${features.invoice_history.enabled && only === undefined ? invoiceSection(account, session) : null}
      ${session.return_url ? html`<p><a class="button" href="${session.return_url}">Return to site</a></p>` : null}`,
  })
}

type Section = { subscription: Stripe.Subscription; offers: ReturnType<typeof listAvailablePlans>; mayCancel: boolean }

function subscriptionSection(
  account: Account,
  session: Stripe.BillingPortal.Session,
  { subscription, offers, mayCancel }: Section,
): Markup {
  const item = subscription.items.data[0]!
  const product = account.products.get(toId(item.price.product)!)
  const card = paymentMethodFor(account, subscription)?.card
  const ends = subscription.cancel_at_period_end
  const hidden = html`<input type="hidden" name="subscription" value="${subscription.id}" />`
  const buttons = offers.map(
    ({ price, name }) =>
      html`<form method="post" action="/portal/${session.id}/plan">
        ${hidden}
        <input type="hidden" name="price" value="${price.id}" />
        <button type="submit">Change plan to ${name}</button> <span class="note">${priceText(price)}</span>
      </form>`,
  )
  return html`<section class="card">
    <h2 style="margin-top:0">${product?.name ?? 'Subscription'}</h2>
    <p class="note">
      ${priceText(item.price)}. ${ends ? 'Ends' : 'Renews'} on ${day(item.current_period_end)}.
      ${subscription.status === 'past_due' ? 'The last payment failed.' : null}
      ${card ? `Visa ending in ${card.last4}.` : 'No card.'}
    </p>
    <div class="row">${buttons}</div>
    ${
      mayCancel
        ? html`<form class="row" method="post" action="/portal/${session.id}/${ends ? 'resume' : 'cancel'}">
            ${hidden}
            <button class="quiet" type="submit">${ends ? 'Resume subscription' : 'Cancel subscription'}</button>
          </form>`
        : null
    }
  </section>`
}

function cardSection(session: Stripe.BillingPortal.Session): Markup {
  return html`<form class="card" method="post" action="/portal/${session.id}/card">
    <label for="card" style="margin-top:0">Card number</label>
    <input id="card" name="card" inputmode="numeric" autocomplete="cc-number" required />
    <div class="row"><button type="submit">Update card</button></div>
  </form>`
}

function invoiceSection(account: Account, session: Stripe.BillingPortal.Session): Markup {
  const invoices = account.invoices.by('customer', session.customer).reverse()
  if (invoices.length === 0)
    return html`<h2>Invoices</h2>
      <p>No invoices yet.</p>`
  const rows = invoices.map(
    (invoice) =>
      html`<tr>
        <td>${day(invoice.created)}</td>
        <td>${invoice.number ?? 'Draft'}</td>
        <td>${invoice.status}</td>
        <td class="number">${money(invoice.total, invoice.currency)}</td>
      </tr>`,
  )
  return html`<h2>Invoices</h2>
    <div class="card">
      <table>
        <thead>
          <tr>
            <th>Date</th>
            <th>Number</th>
            <th>Status</th>
            <th class="number">Amount</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`
}

function priceText(price: Stripe.Price): string {
  const { interval, interval_count: count } = price.recurring!
  return `${money(price.unit_amount ?? 0, price.currency)} ${count === 1 ? `per ${interval}` : `every ${count} ${interval}s`}`
}

function expiredPage(session: Stripe.BillingPortal.Session | undefined): string {
  return layout({
    title: 'Billing link expired',
    standIn: STAND_IN,
    body: html`<h1>This billing link has expired</h1>
      <p>Please go back to the site and open billing again.</p>
      ${session?.return_url ? html`<p><a class="button" href="${session.return_url}">Return to site</a></p>` : null}`,
  })
}
