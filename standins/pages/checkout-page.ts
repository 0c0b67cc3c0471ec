import type { Stripe } from 'stripe'
import type { HttpReply, HttpRequest } from '../http.ts'
import { isJson, json, page, postedFields, seeOther } from '../http.ts'
import type { Account } from '../stripe/account.ts'
import type { PaymentOutcome } from '../stripe/checkout/checkout-payment.ts'
import { CLOSED_TEXTS, needsCard, payCheckout, successUrl, enterCode } from '../stripe/checkout/checkout-payment.ts'
import { expireSession } from '../stripe/checkout/checkout-sessions.ts'
import { toId } from '../stripe/objects.ts'
import { html } from './html.ts'
import type { Markup } from './html.ts'
import { layout, money } from './layout.ts'

const STAND_IN = 'Stand-in for the hosted checkout. No money moves. Test card: 4242 4242 4242 4242.'

/** Status of the JSON response for a failed payment. The page responds with 200: browsers report other statuses as console errors. */
const REFUSED_STATUS = { email: 400, card: 402, declined: 402 }

/**
 * Serves `/checkout/{id}`: the form and its post. `POST /checkout/{id}/pay` accepts JSON `{ email?, card }` and returns `{ redirectTo }`, or `{ error, message
 * }` with 400, 402, 409 (complete) or 410 (expired). `POST /checkout/{id}/code` accepts `{ code }` where codes are allowed, and returns `{ total }`, or `{
 * error, message }` with 400.
 */
export function serveCheckout(account: Account, request: HttpRequest): HttpReply {
  const [, , id = '', action] = request.path.split('/')
  const session = account.sessions.get(decodeURIComponent(id))
  if (!session || (action !== undefined && action !== 'pay' && action !== 'code')) return page(404, notFoundPage())
  const current =
    session.status === 'open' && session.expires_at <= account.seconds() ? expireSession(account, session) : session
  if (request.method === 'GET' || request.method === 'HEAD') {
    return page(200, current.status === 'open' ? formPage(account, current, {}) : closedPage(current))
  }
  if (request.method !== 'POST') return { status: 405, headers: { allow: 'GET, POST' } }
  if (action === 'code') return respondToCode(account, { session: current, request })
  const { email, card = '' } = postedFields(request)
  const outcome = payCheckout(account, current, { email, card })
  return isJson(request)
    ? respondWithJson(outcome)
    : respondWithPage(account, { session: current, outcome, email, card })
}

function respondToCode(
  account: Account,
  { session, request }: { session: Stripe.Checkout.Session; request: HttpRequest },
): HttpReply {
  const { code = '' } = postedFields(request)
  const message = enterCode(account, session, code)
  const again = account.sessions.get(session.id) ?? session
  if (isJson(request)) {
    return message === null ? json(200, { total: again.amount_total }) : json(400, { error: 'code', message })
  }
  if (again.status !== 'open') return page(200, closedPage(again))
  return page(200, formPage(account, again, { code, ...(message !== null && { wrongCode: message }) }))
}

function respondWithJson(outcome: PaymentOutcome): HttpReply {
  switch (outcome.outcome) {
    case 'paid':
      return json(200, { redirectTo: outcome.redirectTo })
    case 'refused':
      return json(REFUSED_STATUS[outcome.reason], { error: outcome.reason, message: outcome.message })
    case 'closed':
      return json(outcome.status === 'complete' ? 409 : 410, { error: outcome.status, message: outcome.message })
  }
}

type Posted = { session: Stripe.Checkout.Session; outcome: PaymentOutcome; email: string | undefined; card: string }

function respondWithPage(account: Account, { session, outcome, email, card }: Posted): HttpReply {
  switch (outcome.outcome) {
    case 'paid':
      return seeOther(outcome.redirectTo)
    case 'refused': {
      const again = account.sessions.get(session.id)!
      return page(200, formPage(account, again, { email, card, refused: outcome }))
    }
    case 'closed':
      return page(200, closedPage(session))
  }
}

type Entered = {
  email?: string | undefined
  card?: string
  refused?: Extract<PaymentOutcome, { outcome: 'refused' }>
  code?: string
  /** The error for the code. */
  wrongCode?: string
}

function formPage(account: Account, session: Stripe.Checkout.Session, entered: Entered): string {
  const { email, card, refused } = entered
  const lines = account.drafts.get(session.id)?.lines ?? []
  const total = money(session.amount_total ?? 0, session.currency!)
  const customer = account.customers.get(toId(session.customer) ?? '')
  const known = customer && !customer.deleted ? customer.email : null
  const wrongField = refused?.reason === 'email' ? 'email' : 'card'
  const rows = lines.map(
    (line) =>
      html`<tr>
        <td>${line.description}${describePeriod(line)}</td>
        <td class="number">${money(line.amount_subtotal, line.currency)}</td>
      </tr>`,
  )
  return layout({
    title: refused ? 'Error: Checkout' : 'Checkout',
    standIn: STAND_IN,
    body: html`<h1>Pay ${total}</h1>
      <div class="card">
        <table>
          ${rows} ${discountRow(account, session)}
        </table>
      </div>
      ${refused ? html`<p class="error" role="alert" id="problem">${refused.message}</p>` : null}
      ${session.allow_promotion_codes ? codeForm(session, entered) : null}
      <form class="card" method="post" action="/checkout/${session.id}">
        <label for="email">Email</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          required
          value="${known ?? email ?? session.customer_email ?? ''}"
          ${known ? { markup: ' readonly' } : null}${described(refused !== undefined && wrongField === 'email')}
        />
        ${needsCard(session) ? cardField(card ?? '', refused !== undefined && wrongField === 'card') : null}
        <div class="row">
          <button type="submit">Pay ${total}</button>
          ${session.cancel_url ? html`<a href="${session.cancel_url}">Cancel</a>` : null}
        </div>
      </form>
      <p class="note">
        4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined, 4000 0000 0000 0341 pays now and fails at the next
        renewal.
      </p>`,
  })
}

function cardField(card: string, isWrong: boolean): Markup {
  return html`<label for="card">Card number</label>
    <input
      id="card"
      name="card"
      inputmode="numeric"
      autocomplete="cc-number"
      required
      value="${card}"
      ${described(isWrong)}
    />`
}

function codeForm(session: Stripe.Checkout.Session, { code, wrongCode }: Entered): Markup {
  return html`<form class="card" method="post" action="/checkout/${session.id}/code">
    <label for="code">Promotion code</label>
    <input
      id="code"
      name="code"
      autocomplete="off"
      value="${wrongCode ? (code ?? '') : ''}"
      ${wrongCode ? { markup: ' aria-invalid="true" aria-describedby="code-problem"' } : null}
    />
    ${wrongCode ? html`<p class="error" role="alert" id="code-problem">${wrongCode}</p>` : null}
    <div class="row"><button type="submit">Apply</button></div>
  </form>`
}

function discountRow(account: Account, session: Stripe.Checkout.Session): Markup | null {
  const off = session.total_details?.amount_discount ?? 0
  if (off === 0) return null
  const code = account.promotionCodes.get(toId(session.discounts?.[0]?.promotion_code) ?? '')
  return html`<tr>
    <td>${code?.code ?? 'Discount'}</td>
    <td class="number">-${money(off, session.currency!)}</td>
  </tr>`
}

function closedPage(session: Stripe.Checkout.Session): string {
  const expired = session.status === 'expired'
  const back = expired ? session.cancel_url : successUrl(session)
  return layout({
    title: expired ? 'Checkout expired' : 'Already paid',
    standIn: STAND_IN,
    body: html`<h1>${expired ? 'This checkout has expired' : 'Already paid'}</h1>
      <p>${CLOSED_TEXTS[expired ? 'expired' : 'complete']}</p>
      ${back ? html`<p><a class="button" href="${back}">Return to site</a></p>` : null}`,
  })
}

function notFoundPage(): string {
  return layout({
    title: 'Checkout not found',
    standIn: STAND_IN,
    body: html`<h1>Checkout not found</h1>
      <p>There is no checkout at this address. Please go back to the site and start again.</p>`,
  })
}

function describePeriod({ price }: Stripe.LineItem): Markup | null {
  const recurring = price?.recurring
  if (!recurring) return null
  const { interval, interval_count: count } = recurring
  return html`<br /><span class="note"
      >Renews ${count === 1 ? `every ${interval}` : `every ${count} ${interval}s`} until cancelled</span
    >`
}

function described(isWrong: boolean): Markup | null {
  return isWrong ? { markup: ' aria-invalid="true" aria-describedby="problem"' } : null
}
