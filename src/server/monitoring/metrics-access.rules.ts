/** What is known of somebody who asks for the metrics. */
export interface MetricsCaller {
  /** Of the connection itself, whatever its headers claim. */
  socketAddress: string
  /** Names of the request's headers, in small letters. */
  headerNames: readonly string[]
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-original-.*|x-client-ip|true-client-ip|cf-.*|fly-.*)$/

/** The token that came with a request; null without one. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(authorization ?? '')?.[1] ?? null
}

/**
 * Whether somebody without a token is on this machine. Behind a proxy nobody is known to be: what a proxy on the same machine passes on comes from the
 * loopback address too, so there a token is needed. A header that proxies add gives away one that the settings do not know of.
 */
export function isOnThisMachine({ socketAddress, headerNames }: MetricsCaller, isBehindProxy: boolean): boolean {
  return !isBehindProxy && LOOPBACK.test(socketAddress) && !headerNames.some((name) => FORWARDED.test(name))
}
