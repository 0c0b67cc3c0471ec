import type { FastifyInstance } from 'fastify'
import { secretLink } from '#server/mail/secret-link.ts'
import { Problem } from '#server/platform/problem.ts'
import type { NewsletterService } from './newsletter.service.ts'

/** The address in the List-Unsubscribe header of every newsletter. */
export const ONE_CLICK_PATH = '/newsletter/one-click'
const LARGEST_BODY = 4_096

/**
 * Leaving by the button of a mail program (RFC 8058): it sends a POST without cookies whose body says only that this is such a button. Whoever opens the
 * address in a browser comes to the page with a button of ours; looking changes nothing.
 *
 * NOTE: mail programs do not send a fragment, so this address must carry its token in the query. The token can do nothing but take this one reader off
 * the list, and neither the site nor the shipped proxies log a query string (decision record 33).
 */
export async function oneClickRoutes(
  app: FastifyInstance,
  newsletter: Pick<NewsletterService, 'leave'>,
): Promise<void> {
  await app.register(async (own) => {
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_BODY }, (_request, _bytes, done) =>
      done(null),
    )

    own.get<{ Querystring: { token?: unknown } }>(ONE_CLICK_PATH, async ({ query: { token } }, reply) =>
      reply.redirect(secretLink('', '/newsletter/unsubscribe', { token: readToken(token) }), 303),
    )

    own.post<{ Querystring: { token?: unknown } }>(ONE_CLICK_PATH, async ({ query: { token } }, reply) => {
      await newsletter.leave(readToken(token))
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
