import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config/config.ts'
import { equalSecrets } from '#server/lib/secrets.ts'
import { parseBearer, isOnThisMachine } from './metrics-access.rules.ts'

/**
 * Who may read the details of `/readyz`: clients with METRICS_TOKEN, and clients on this machine. Proxied requests are recognized by their forwarding header,
 * which `TRUST_PROXY` relies on too. In production without `TRUST_PROXY` a proxy may add no header, so the token is required.
 */
export function createDetailsAccess({
  metricsToken,
  production,
  trustProxy,
}: Pick<Config, 'metricsToken' | 'production' | 'trustProxy'>): (request: FastifyRequest) => boolean {
  const mayBeBehindUnknownProxy = production && trustProxy === false
  return ({ raw, headers }) => {
    const token = parseBearer(headers.authorization)
    if (metricsToken !== null && token !== null && equalSecrets(token, metricsToken)) return true
    const socketAddress = raw.socket.remoteAddress ?? ''
    return isOnThisMachine({ socketAddress, headerNames: Object.keys(headers) }, mayBeBehindUnknownProxy)
  }
}
