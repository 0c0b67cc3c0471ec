/**
 * Records hold ids, codes, counts and times; never a name, an address, a token, a query string or the text of a message. Compatible with Fastify's logger
 * (pino).
 */
export interface Log {
  debug(record: object, text?: string): void
  info(record: object, text?: string): void
  warn(record: object, text?: string): void
  error(record: object, text?: string): void
}
