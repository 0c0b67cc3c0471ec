import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendProblem } from '#server/http/error-responses.ts'
import { sendSharedResponse, MIN_SHARED_BYTES, SharedResponseCache } from '#server/http/pipelining/shared-responses.ts'
import { Problem } from '#server/lib/problem.ts'
import type { ArchiveService } from './archive.service.ts'
import { VIEW_PATH } from './campaign.emails.ts'
import { PREVIEW_PATH } from './composing/campaign-editor.service.ts'
import type { CampaignPreview } from './composing/campaign-preview.service.ts'
import { readPreviewToken } from './composing/preview-token.service.ts'
import { EMAIL_FRAME_PATH } from '#contract/console/emails/email-frame.ts'
import type { AppContext } from '#server/app-context.ts'

/**
 * Allows images and inline styles only: no scripts, no forms, and links open in a new tab (docs/product-rules.md#campaign-html). A sandboxed page has no
 * `'self'`.
 * @param isFilled the console writes its content, so it keeps its origin
 */
function viewPolicy(siteUrl: string, canEmbed: boolean, isFilled = false): string {
  return [
    "default-src 'none'",
    "script-src 'none'",
    `img-src ${siteUrl} https:`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    `sandbox ${isFilled ? 'allow-same-origin ' : ''}allow-popups allow-popups-to-escape-sandbox`,
    `frame-ancestors ${canEmbed ? "'self'" : "'none'"}`,
  ].join('; ')
}
const HTML_TYPE = 'text/html; charset=utf-8'
const CACHE_15_MINUTES = 'public, max-age=900'

/** Serves a campaign at `/newsletter/view/ID`, and its text version at `/newsletter/view/ID.txt`. */
export function campaignViewRoutes(app: FastifyInstance, archive: Pick<ArchiveService, 'view'>, siteUrl: string): void {
  const shared = new SharedResponseCache()
  app.get<{ Params: { name: string } }>(`${VIEW_PATH}:name`, async (request, reply) => {
    const { name } = request.params
    const isText = name.endsWith('.txt')
    // PostgreSQL rejects a NUL byte in a query parameter.
    if (name.includes('\0')) return reply.callNotFound()
    const view = await archive.view(isText ? name.slice(0, -'.txt'.length) : name)
    if (!view) return reply.callNotFound()
    if (isText) return sendText(reply, view.text)
    if (view.html.length < MIN_SHARED_BYTES) return sendPage(reply, view, siteUrl)
    const response = await shared.getOrCreate(HTML_TYPE, view.html)
    return sendSharedResponse(request, describePage(reply, view, siteUrl), response)
  })
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: `${VIEW_PATH}:name`,
    handler: (_request, reply) => sendProblem(reply.header('allow', 'GET, HEAD'), new Problem('METHOD_NOT_ALLOWED')),
  })
}

/** Serves the preview of an unsent campaign to a frame of the console. The token in its URL is valid for 15 minutes. */
export function previewRoutes(
  app: FastifyInstance,
  { clock, secrets, siteUrl }: Pick<AppContext, 'clock' | 'secrets' | 'siteUrl'>,
  previews: CampaignPreview,
): void {
  // A frame can send neither a header nor a body, so the token is in the query string, which is never logged.
  app.get<{ Querystring: { token?: unknown } }>(PREVIEW_PATH, async ({ query: { token } }, reply) => {
    const id = typeof token === 'string' ? readPreviewToken(secrets, token, clock.now()) : null
    const content = id === null ? null : await previews.findHtml(id)
    if (content === null) return reply.callNotFound()
    return sendPage(reply.header('x-robots-tag', 'noindex'), { canEmbed: true, html: content }, siteUrl, 'no-store')
  })
}

const EMPTY_FRAME = '<!doctype html><html lang="en"><head><title>Email preview</title></head><body></body></html>'

/** Serves the empty page that the console fills with an email. */
export function emailFrameRoute(app: FastifyInstance, siteUrl: string): void {
  app.get(EMAIL_FRAME_PATH, async (_request, reply) =>
    reply
      .header('x-frame-options', 'SAMEORIGIN')
      .header('x-robots-tag', 'noindex')
      .header('content-security-policy', viewPolicy(siteUrl, true, true))
      .header('cache-control', 'no-store')
      .type(HTML_TYPE)
      .send(EMPTY_FRAME),
  )
}

/** A sandboxed page has an opaque origin, and browsers log a warning if it requests an origin-keyed agent cluster. */
const NO_ORIGIN_AGENT_CLUSTER = ['origin-agent-cluster', '?0'] as const

function sendPage(
  reply: FastifyReply,
  page: { canEmbed: boolean; html: string },
  siteUrl: string,
  caching = CACHE_15_MINUTES,
): FastifyReply {
  return describePage(reply, page, siteUrl, caching).type(HTML_TYPE).send(page.html)
}

function describePage(
  reply: FastifyReply,
  { canEmbed }: { canEmbed: boolean },
  siteUrl: string,
  caching = CACHE_15_MINUTES,
): FastifyReply {
  if (canEmbed) void reply.header('x-frame-options', 'SAMEORIGIN')
  return reply
    .header(...NO_ORIGIN_AGENT_CLUSTER)
    .header('content-security-policy', viewPolicy(siteUrl, canEmbed))
    .header('cache-control', caching)
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('cache-control', CACHE_15_MINUTES).type('text/plain; charset=utf-8').send(text)
}
