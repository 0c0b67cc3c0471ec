/** What is known about a client that requests the metrics. */
export interface MetricsCaller {
  /** The address of the connection, regardless of headers. */
  socketAddress: string
  /** Names of the request's headers, in lower case. */
  headerNames: readonly string[]
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-original-.*|x-client-ip|true-client-ip|cf-.*|fly-.*)$/

/** Returns the bearer token of a request; null without one. */
export function parseBearer(authorization: string | undefined): string | null {
  return /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(authorization ?? '')?.[1] ?? null
}

/**
 * Whether a client without a token is on this machine. A local proxy connects from the loopback address too, so behind a proxy a token is always required.
 * Headers that proxies add reveal one missing from the settings.
 */
export function isOnThisMachine({ socketAddress, headerNames }: MetricsCaller, isBehindProxy: boolean): boolean {
  return !isBehindProxy && LOOPBACK.test(socketAddress) && !headerNames.some((name) => FORWARDED.test(name))
}
