import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createBotCheck } from './bot-check.ts'
import { openClock } from './clock.ts'
import type { ControlOrder } from './control.ts'
import { UnknownOrder, createControl } from './control.ts'
import { createFaults } from './faults.ts'
import type { Dropped, HttpReply, HttpRequest } from './http.ts'
import { json, page, serveHttp } from './http.ts'
import type { Mail } from './mail-store.ts'
import { openMailStore } from './mail-store.ts'
import type { Mailbox } from './mailbox.ts'
import { serveMailbox } from './mailbox.ts'
import type { NpiRegistry } from './npi-registry.ts'
import { createNpiRegistry } from './npi-registry.ts'
import { createObjectStorage } from './object-storage.ts'
import { serveCheckout } from './pages/checkout-page.ts'
import { html } from './pages/html.ts'
import { serveInvoice, serveReceipt } from './pages/invoice-page.ts'
import { layout } from './pages/layout.ts'
import { serveMail } from './pages/mail-pages.ts'
import { mapPage } from './pages/map-page.ts'
import { servePortal } from './pages/portal-page.ts'
import { openStore } from './store.ts'
import type { Account } from './stripe/account.ts'
import { openAccount } from './stripe/account.ts'
import { createStripeApi } from './stripe/api.ts'
import { catchUp } from './stripe/billing/renewals.ts'
import type { Webhooks } from './stripe/webhooks.ts'
import { createWebhooks } from './stripe/webhooks.ts'

export type StandinsOptions = {
  /** Where state is stored; unused with `persist: false`. */
  directory: string
  /** 0 selects a free port. */
  port: number
  smtpPort: number
  /** Where browsers reach the pages of the stand-ins; by default this port of this machine. */
  publicUrl?: string
  /** Webhooks are sent to `/api/stripe/webhook` there, unless `webhookUrls` is set. */
  siteUrl?: string
  /** Several instances of the site receive events in turn. */
  webhookUrls?: string[]
  webhookSecret?: string
  /** `clock.json` in the site's data directory; without it only the stand-ins' own clock advances. */
  clockFile?: string | null
  persist?: boolean
  /** Parse each email before it is acknowledged, so that `mails()` includes it; the standalone process parses lazily. */
  parseMailsAtOnce?: boolean
}

export type Standins = {
  /** `http://127.0.0.1:port` */
  url: string
  /** `smtp://127.0.0.1:port` */
  smtpUrl: string
  port: number
  smtpPort: number
  /** Like `POST /control`. @throws UnknownOrder */
  control(order: ControlOrder): Promise<void>
  /** Newest first. */
  mails(to?: string): Mail[]
  npiRegistry: Pick<NpiRegistry, 'register' | 'queries'>
  stripe: StripeState
  /** The address of the webhook, or of the site. */
  setWebhookTarget(url: string): void
  close(): Promise<void>
}

/** For assertions: all objects in order of creation. */
export type StripeState = {
  account: Account
  /** Maps `POST /v1/checkout/sessions` to the number of calls. */
  requestCounts: ReadonlyMap<string, number>
  webhooks: Pick<Webhooks, 'undelivered' | 'delivered'>
  sessions(): ReturnType<Account['sessions']['all']>
  subscriptions(): ReturnType<Account['subscriptions']['all']>
  customers(): ReturnType<Account['customers']['all']>
  invoices(): ReturnType<Account['invoices']['all']>
  refunds(): ReturnType<Account['refunds']['all']>
  prices(): ReturnType<Account['prices']['all']>
  products(): ReturnType<Account['products']['all']>
  events(): ReturnType<Account['events']['all']>
}

const DEFAULT_WEBHOOK_SECRET = 'whsec_standin'
const WEBHOOK_PATH = '/api/stripe/webhook'

const TICK_MS = 1000
const FORGET_EVERY_TICKS = 60

export async function startStandins(options: StandinsOptions): Promise<Standins> {
  const { directory, siteUrl, persist = true } = options
  if (persist) mkdirSync(directory, { recursive: true })
  const store = openStore(persist ? directory : null)
  const clock = openClock(options.clockFile ?? null)
  let mailbox: Mailbox | null = null
  const faults = createFaults((service) => service === 'mail' && mailbox?.faultChanged())
  const mails = openMailStore({ directory: persist ? directory : null, parseAtOnce: options.parseMailsAtOnce ?? true })
  const hostname = siteUrl && URL.canParse(siteUrl) ? new URL(siteUrl).hostname : 'localhost'
  const botCheck = createBotCheck({ store, clock, faults, hostname })
  const npiRegistry = createNpiRegistry(faults)
  const objectStorage = createObjectStorage({ store, clock, faults, directory: persist ? join(directory, 's3') : null })
  const webhooks: Webhooks = createWebhooks({
    store,
    clock,
    secret: options.webhookSecret ?? DEFAULT_WEBHOOK_SECRET,
    targets: options.webhookUrls ?? (siteUrl ? [webhookAddress(siteUrl)] : []),
    findEvent: (id) => account.events.get(id),
  })
  const account: Account = openAccount({ store, clock, publicUrl: '', onEvent: (event) => webhooks.enqueue(event) })
  const api = createStripeApi({ account, store, clock, faults, webhooks })
  const processDue = oneAtATime(() => catchUp(account))
  const control = createControl({ faults, botCheck, webhooks, clock, catchUp: processDue })

  async function obey(request: HttpRequest): Promise<HttpReply> {
    if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
    try {
      await control.obey(JSON.parse(request.body.toString('utf8')))
      return json(200, { ok: true })
    } catch (error) {
      if (error instanceof UnknownOrder) return json(400, { error: error.message })
      if (error instanceof SyntaxError) return json(400, { error: 'The order must be a JSON object.' })
      throw error
    }
  }

  function route(request: HttpRequest): HttpReply | Promise<HttpReply | Dropped> {
    switch (request.path.split('/', 2)[1]) {
      case 'v1':
        return api.serve(request)
      case 'checkout':
        return serveCheckout(account, request)
      case 'portal':
        return servePortal(account, request)
      case 'invoices':
        return serveInvoice(account, request)
      case 'receipts':
        return serveReceipt(account, request)
      case 'recaptcha':
        return botCheck.serve(request)
      case 'mail':
        return serveMail(mails, request)
      case 's3':
        return objectStorage.serve(request)
      case 'npi':
        return npiRegistry.serve(request)
      case 'map':
        return page(200, mapPage())
      case 'control':
        return obey(request)
      case '':
        return page(200, indexPage())
      default:
        return page(404, indexPage())
    }
  }

  const server = await serveHttp(options.port, async (request) => {
    const reply = await route(request)
    store.flush()
    return reply
  })
  try {
    mailbox = await serveMailbox({ port: options.smtpPort, store: mails, clock, faults })
  } catch (error) {
    await server.close()
    throw error
  }
  account.publicUrl = options.publicUrl ?? `http://localhost:${server.port}`

  let ticks = 0
  const ticking = setInterval(() => {
    void processDue().then(() => webhooks.poke())
    if (++ticks % FORGET_EVERY_TICKS !== 0) return
    api.deleteExpiredKeys()
    botCheck.deleteExpired()
  }, TICK_MS)
  ticking.unref()

  return {
    url: `http://127.0.0.1:${server.port}`,
    smtpUrl: `smtp://127.0.0.1:${mailbox.port}`,
    port: server.port,
    smtpPort: mailbox.port,
    control: (order) => control.obey(order),
    mails: (to) => mails.parsed(to),
    npiRegistry,
    stripe: {
      account,
      requestCounts: api.requestCounts,
      webhooks,
      sessions: () => account.sessions.all(),
      subscriptions: () => account.subscriptions.all(),
      customers: () => account.customers.all(),
      invoices: () => account.invoices.all(),
      refunds: () => account.refunds.all(),
      prices: () => account.prices.all(),
      products: () => account.products.all(),
      events: () => account.events.all(),
    },
    setWebhookTarget: (url) => webhooks.setTargets([webhookAddress(url)]),
    async close() {
      clearInterval(ticking)
      webhooks.close()
      await Promise.all([server.close(), mailbox?.close()])
      store.close()
      mails.close()
    },
  }
}

function webhookAddress(url: string): string {
  return new URL(url).pathname === '/' ? new URL(WEBHOOK_PATH, url).href : url
}

/** Runs again after the current run instead of concurrently. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => (last = last.catch(() => {}).then(work))
}

function indexPage(): string {
  return layout({
    title: 'Stand-ins',
    standIn: 'Stand-ins for the outside services, for local use and tests.',
    body: html`<h1>Stand-ins</h1>
      <ul>
        <li><a href="/mail">Mailbox</a></li>
        <li><a href="/map">Map</a></li>
      </ul>
      <p class="note">
        Stripe at /v1, hosted checkout at /checkout, billing portal at /portal, bot check at /recaptcha, object storage
        at /s3, NPI registry at /npi, orders for tests at /control.
      </p>`,
  })
}
