import type { FastifyInstance } from 'fastify'
import { secretLink } from '#server/emails/secret-link.ts'
import { Problem } from '#server/lib/problem.ts'
import type { NewsletterService } from './newsletter.service.ts'

/** The path in the List-Unsubscribe header of every newsletter. */
export const ONE_CLICK_PATH = '/newsletter/one-click'
const MAX_BODY_BYTES = 4_096

/**
 * One-click unsubscribe (RFC 8058): the email client sends a POST without cookies; its body carries no data. A GET in a browser redirects to the
 * unsubscribe page and changes nothing.
 *
 * NOTE: email clients do not send a fragment, so the token has to be in the query string. The token can only unsubscribe this one subscriber, and neither
 * the site nor the shipped proxies log query strings (decision record 33).
 */
export async function oneClickRoutes(
  app: FastifyInstance,
  newsletter: Pick<NewsletterService, 'unsubscribeByToken'>,
): Promise<void> {
  await app.register(async (own) => {
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, _bytes, done) =>
      done(null),
    )

    own.get<{ Querystring: { token?: unknown } }>(ONE_CLICK_PATH, async ({ query: { token } }, reply) =>
      reply.redirect(secretLink('', '/newsletter/unsubscribe', { token: readToken(token) }), 303),
    )

    own.post<{ Querystring: { token?: unknown } }>(ONE_CLICK_PATH, async ({ query: { token } }, reply) => {
      await newsletter.unsubscribeByToken(readToken(token))
      return reply.type('text/plain; charset=utf-8').send('You have been unsubscribed from the newsletter.\n')
    })

    own.route({
      method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: ONE_CLICK_PATH,
      handler: (_request, reply) => {
        void reply.header('allow', 'GET, HEAD, POST')
        throw new Problem('METHOD_NOT_ALLOWED')
      },
    })
  })
}

function readToken(token: unknown): string {
  return typeof token === 'string' ? token.slice(0, 200) : ''
}
