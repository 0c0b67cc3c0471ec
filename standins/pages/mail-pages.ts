import type { HttpReply, HttpRequest } from '../http.ts'
import { json, page } from '../http.ts'
import type { Mail, MailStore } from '../mail-store.ts'
import { html } from './html.ts'
import type { Markup } from './html.ts'
import { layout } from './layout.ts'

const STAND_IN = 'Stand-in mailbox: collects every email the site sends.'
const EMAILS_PER_PAGE = 50

/** Serves `/mail`, `/mail/messages.json`, and `/mail/messages/{id}` with `html` and `raw` below it. */
export async function serveMail(store: MailStore, request: HttpRequest): Promise<HttpReply> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405, headers: { allow: 'GET' } }
  const path = request.path.replace(/\/$/, '')
  if (path === '/mail' || path === '/mail/messages') return page(200, await listPage(store, request.query))
  if (path === '/mail/messages.json') return messagesJson(store, request.query)
  const [, id, part] = /^\/mail\/messages\/(\d+)(?:\/(html|raw))?$/.exec(path) ?? []
  if (id === undefined) return page(404, missingPage())
  if (part === 'raw') return rawMessage(store.raw(id))
  const mail = await store.find(id)
  if (!mail) return page(404, missingPage())
  return part === 'html' ? htmlPart(mail) : page(200, messagePage(mail))
}

async function messagesJson(store: MailStore, query: URLSearchParams): Promise<HttpReply> {
  const limit = query.get('limit')
  if (limit !== null && limit !== '' && !/^\d+$/.test(limit))
    return json(400, { message: 'limit must be a whole number.' })
  const parts: string[] = []
  const filter = { to: query.get('to')?.trim() || undefined, limit: limit ? Number(limit) : undefined }
  for await (const mail of store.read(filter)) parts.push(JSON.stringify(mail))
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: `[${parts.join(',')}]`,
  }
}

async function listPage(store: MailStore, query: URLSearchParams): Promise<string> {
  const to = query.get('to')?.trim() || undefined
  const rows: Markup[] = []
  for await (const mail of store.read({ to, limit: EMAILS_PER_PAGE })) {
    rows.push(
      html`<li>
        <a href="/mail/messages/${mail.id}"><strong>${mail.subject || '(no subject)'}</strong></a
        ><br />
        <span class="note">To ${mail.to.join(', ')} · ${when(mail)}</span>
      </li>`,
    )
  }
  return layout({
    title: 'Mailbox',
    wide: true,
    standIn: STAND_IN,
    body: html`<h1>Mailbox</h1>
      <form method="get" action="/mail">
        <label for="to">Emails to</label>
        <input id="to" name="to" type="search" placeholder="name@example.org" value="${to ?? ''}" />
        <div class="row"><button class="quiet" type="submit">Show</button><a href="/mail">All emails</a></div>
      </form>
      <div class="card">
        ${
          rows.length === 0
            ? html`<p>No emails yet.</p>`
            : html`<ul class="plain">
                ${rows}
              </ul>`
        }
      </div>
      <p class="note">
        ${store.count()} emails in
        all${rows.length === EMAILS_PER_PAGE ? `; the newest ${EMAILS_PER_PAGE} are shown` : ''}.
      </p>`,
  })
}

function messagePage(mail: Mail): string {
  const headers = Object.entries(mail.headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (each) =>
        html`<tr>
          <th>${name}</th>
          <td>${each}</td>
        </tr>`,
    ),
  )
  return layout({
    title: mail.subject || '(no subject)',
    wide: true,
    standIn: STAND_IN,
    body: html`<p><a href="/mail">Mailbox</a></p>
      <h1>${mail.subject || '(no subject)'}</h1>
      <p class="note">From ${mail.headers['from'] as string} to ${mail.to.join(', ')} · ${when(mail)}</p>
      ${
        mail.html
          ? html`<iframe
              title="The email"
              src="/mail/messages/${mail.id}/html"
              sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
            ></iframe>`
          : null
      }
      ${
        mail.text
          ? html`<h2>Text</h2>
              <div class="card"><pre>${linked(mail.text)}</pre></div>`
          : null
      }
      <h2>Headers</h2>
      <div class="card">
        <table>
          ${headers}
        </table>
      </div>
      <p><a href="/mail/messages/${mail.id}/raw">Source</a></p>`,
  })
}

function htmlPart(mail: Mail): HttpReply {
  const base = '<base target="_top">'
  const body = /<head[^>]*>/i.test(mail.html)
    ? mail.html.replace(/<head[^>]*>/i, (head) => head + base)
    : base + mail.html
  return page(200, body, { 'content-security-policy': "script-src 'none'; object-src 'none'" })
}

function rawMessage(raw: Buffer | null): HttpReply {
  if (!raw) return page(404, missingPage())
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: raw }
}

function missingPage(): string {
  return layout({
    title: 'Email not found',
    standIn: STAND_IN,
    body: html`<h1>Email not found</h1>
      <p><a href="/mail">Mailbox</a></p>`,
  })
}

function linked(text: string): Markup[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))
}

function when({ receivedAt }: Mail): string {
  return new Date(receivedAt).toLocaleString('en-US', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'America/New_York',
  })
}
