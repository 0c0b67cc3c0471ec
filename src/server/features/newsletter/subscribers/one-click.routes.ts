import type { FastifyInstance } from 'fastify'
import { secretLink } from '#server/emails/secret-link.ts'
import { Problem } from '#server/lib/problem.ts'

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
  {
    path,
    page,
    answer,
    unsubscribe,
  }: {
    path: string
    /** The page with a button that does the same. */
    page: string
    /** What a person reads who sends the request by hand. */
    answer: string
    unsubscribe(token: string): Promise<unknown>
  },
): Promise<void> {
  await app.register(async (own) => {
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, _bytes, done) =>
      done(null),
    )

    own.get<{ Querystring: { token?: unknown } }>(path, async ({ query: { token } }, reply) =>
      reply.redirect(secretLink('', page, { token: readToken(token) }), 303),
    )

    own.post<{ Querystring: { token?: unknown } }>(path, async ({ query: { token } }, reply) => {
      await unsubscribe(readToken(token))
      return reply.type('text/plain; charset=utf-8').send(`${answer}\n`)
    })

    own.route({
      method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: path,
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
