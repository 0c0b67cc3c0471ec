import type { HttpReply, HttpRequest } from '../http.ts'
import { page } from '../http.ts'
import type { Account } from '../stripe/account.ts'
import { html } from './html.ts'
import type { Markup } from './html.ts'
import { day, layout, money } from './layout.ts'

const STAND_IN = 'Stand-in for the pages of the card payment provider. No money moves.'

/** Serves `/invoices/{id}`, the target of `hosted_invoice_url` and `invoice_pdf`. */
export function serveInvoice(account: Account, request: HttpRequest): HttpReply {
  const invoice = account.invoices.get(idIn(request))
  if (!invoice) return page(404, missing('invoice'))
  const rows = invoice.lines.data.map(
    (line) =>
      html`<tr>
        <td>${line.description}</td>
        <td class="number">${money(line.amount, line.currency)}</td>
      </tr>`,
  )
  return page(
    200,
    shown(`Invoice ${invoice.number ?? ''}`, [
      html`<p class="note">${invoice.customer_email} · ${day(invoice.created)} · ${invoice.status}</p>
        <div class="card">
          <table>
            ${rows}
            <tr>
              <th>Total</th>
              <th class="number">${money(invoice.total, invoice.currency)}</th>
            </tr>
            <tr>
              <th>Paid</th>
              <th class="number">${money(invoice.amount_paid, invoice.currency)}</th>
            </tr>
          </table>
        </div>`,
    ]),
  )
}

/** Serves `/receipts/{charge}`, the target of `receipt_url`. */
export function serveReceipt(account: Account, request: HttpRequest): HttpReply {
  const charge = account.charges.get(idIn(request))
  if (!charge?.paid) return page(404, missing('receipt'))
  const { amount, amount_refunded: refunded, created, currency, payment_method_details: details } = charge
  return page(
    200,
    shown('Receipt', [
      html`<p>${money(amount, currency)} paid on ${day(created)} by card ending in ${details?.card?.last4}.</p>`,
      ...(refunded > 0 ? [html`<p>${money(refunded, currency)} refunded.</p>`] : []),
    ]),
  )
}

function idIn({ path }: HttpRequest): string {
  return decodeURIComponent(path.split('/')[2] ?? '')
}

function shown(title: string, parts: Markup[]): string {
  return layout({
    title,
    standIn: STAND_IN,
    body: html`<h1>${title}</h1>
      ${parts}`,
  })
}

function missing(what: string): string {
  return shown(`No such ${what}`, [html`<p>There is no ${what} at this address.</p>`])
}
