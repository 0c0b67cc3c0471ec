import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EXPOSITION_TYPE, writeExposition, type Metric } from './exposition.rules.ts'
import { Problem } from '#server/lib/problem.ts'
import { equalSecrets } from '#server/lib/secrets.ts'
import { parseBearer, isOnThisMachine } from './metrics-access.rules.ts'

/**
 * Serves `/metrics` in the Prometheus text format. Requires METRICS_TOKEN if one is set; without one, only clients on this machine get it and others get 404.
 */
export function metricsRoutes(
  app: FastifyInstance,
  { token, isBehindProxy, metrics }: { token: string | null; isBehindProxy: boolean; metrics(): Promise<Metric[]> },
): void {
  function mayRead({ raw, headers }: FastifyRequest): boolean {
    if (token !== null) return equalSecrets(parseBearer(headers.authorization) ?? '', token)
    const socketAddress = raw.socket.remoteAddress ?? ''
    return isOnThisMachine({ socketAddress, headerNames: Object.keys(headers) }, isBehindProxy)
  }

  app.get('/metrics', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!mayRead(request)) {
      if (token === null) return reply.callNotFound()
      void reply.header('www-authenticate', 'Bearer')
      throw new Problem('AUTHENTICATION_REQUIRED')
    }
    return reply
      .type(EXPOSITION_TYPE)
      .header('cache-control', 'no-store')
      .send(writeExposition(await metrics()))
  })
}
