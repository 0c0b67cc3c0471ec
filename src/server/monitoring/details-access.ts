import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { equalSecrets } from '../platform/secrets.ts'
import { bearerOf, isOnThisMachine } from './metrics-door.rules.ts'

/**
 * Who may read what `/readyz` found: whoever has METRICS_TOKEN, and this machine. What a proxy passes on is recognized by the header in which it names the
 * visitor, which `TRUST_PROXY` relies on too. In production without `TRUST_PROXY` a proxy may add none, so there the token is needed.
 */
export function detailsReader({
  metricsToken,
  production,
  trustProxy,
}: Pick<Config, 'metricsToken' | 'production' | 'trustProxy'>): (request: FastifyRequest) => boolean {
  const mayBeBehindSilentProxy = production && trustProxy === false
  return ({ raw, headers }) => {
    const token = bearerOf(headers.authorization)
    if (metricsToken !== null && token !== null && equalSecrets(token, metricsToken)) return true
    const socketAddress = raw.socket.remoteAddress ?? ''
    return isOnThisMachine({ socketAddress, headerNames: Object.keys(headers) }, mayBeBehindSilentProxy)
  }
}
