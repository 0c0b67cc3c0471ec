import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EXPOSITION_TYPE, writeExposition, type Metric } from '../platform/exposition.rules.ts'
import { Problem } from '../platform/problem.ts'
import { equalSecrets } from '../platform/secrets.ts'
import { bearerOf, isOnThisMachine } from './metrics-door.rules.ts'

/**
 * `/metrics` in Prometheus' text form: for whoever has METRICS_TOKEN, and without one for this machine alone. To everybody else there is no such
 * address.
 */
export function metricsRoutes(
  app: FastifyInstance,
  { token, isBehindProxy, metrics }: { token: string | null; isBehindProxy: boolean; metrics(): Promise<Metric[]> },
): void {
  function mayRead({ raw, headers }: FastifyRequest): boolean {
    if (token !== null) return equalSecrets(bearerOf(headers.authorization) ?? '', token)
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
