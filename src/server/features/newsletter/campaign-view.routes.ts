import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendProblem } from '#server/http/error-responses.ts'
import { sendSharedAnswer, SHARED_FROM, SharedAnswers } from '#server/http/shared-answers.ts'
import { Problem } from '#server/platform/problem.ts'
import type { ArchiveService } from './archive.service.ts'
import { VIEW_PATH } from './campaign.emails.ts'
import { PREVIEW_PATH } from './composing.service.ts'

/** Nothing runs, nothing is sent, pictures and inline styles only; links open beside it (docs/product-rules.md#campaign-html). Being sandboxed, it has no `'self'`. */
function viewPolicy(siteUrl: string, canEmbed: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'none'",
    `img-src ${siteUrl} https:`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    `frame-ancestors ${canEmbed ? "'self'" : "'none'"}`,
  ].join('; ')
}
const HTML_TYPE = 'text/html; charset=utf-8'
const FOR_A_QUARTER_HOUR = 'public, max-age=900'

/** Where a campaign is read, `/newsletter/view/ID`, and its text version, `/newsletter/view/ID.txt`. */
export function campaignViewRoutes(app: FastifyInstance, archive: Pick<ArchiveService, 'view'>, siteUrl: string): void {
  const shared = new SharedAnswers()
  app.get<{ Params: { name: string } }>(`${VIEW_PATH}:name`, async (request, reply) => {
    const { name } = request.params
    const isText = name.endsWith('.txt')
    // PostgreSQL refuses to look for what it cannot hold.
    if (name.includes('\0')) return reply.callNotFound()
    const view = await archive.view(isText ? name.slice(0, -'.txt'.length) : name)
    if (!view) return reply.callNotFound()
    if (isText) return sendText(reply, view.text)
    if (view.html.length < SHARED_FROM) return sendPage(reply, view, siteUrl)
    const answer = await shared.of(HTML_TYPE, view.html)
    return sendSharedAnswer(request, describePage(reply, view, siteUrl), answer)
  })
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: `${VIEW_PATH}:name`,
    handler: (_request, reply) => sendProblem(reply.header('allow', 'GET, HEAD'), new Problem('METHOD_NOT_ALLOWED')),
  })
}

/** Where the console's frame shows a letter that was not sent yet; its address is a proof for a quarter of an hour. */
export function previewRoutes(
  app: FastifyInstance,
  {
    readToken,
    letterOf,
    siteUrl,
  }: { readToken(token: string): string | null; letterOf(id: string): Promise<string | null>; siteUrl: string },
): void {
  // A frame can neither send a header nor a body: the proof stands in the query, which no log keeps.
  app.get<{ Querystring: { token?: unknown } }>(PREVIEW_PATH, async ({ query: { token } }, reply) => {
    const id = typeof token === 'string' ? readToken(token) : null
    const letter = id === null ? null : await letterOf(id)
    if (letter === null) return reply.callNotFound()
    return sendPage(reply.header('x-robots-tag', 'noindex'), { canEmbed: true, html: letter }, siteUrl, 'no-store')
  })
}

/** Being sandboxed, it has no origin to keep to itself: browsers complain about the wish. */
const NO_ORIGIN_OF_ITS_OWN = ['origin-agent-cluster', '?0'] as const

function sendPage(
  reply: FastifyReply,
  page: { canEmbed: boolean; html: string },
  siteUrl: string,
  caching = FOR_A_QUARTER_HOUR,
): FastifyReply {
  return describePage(reply, page, siteUrl, caching).type(HTML_TYPE).send(page.html)
}

function describePage(
  reply: FastifyReply,
  { canEmbed }: { canEmbed: boolean },
  siteUrl: string,
  caching = FOR_A_QUARTER_HOUR,
): FastifyReply {
  if (canEmbed) void reply.header('x-frame-options', 'SAMEORIGIN')
  return reply
    .header(...NO_ORIGIN_OF_ITS_OWN)
    .header('content-security-policy', viewPolicy(siteUrl, canEmbed))
    .header('cache-control', caching)
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('cache-control', FOR_A_QUARTER_HOUR).type('text/plain; charset=utf-8').send(text)
}
