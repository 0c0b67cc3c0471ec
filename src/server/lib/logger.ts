/**
 * What a record may hold: ids, codes, counts and times. Never a name, an address, a token, a query string or a message's text.
 * Fastify's own logger (pino) fits this.
 */
export interface Log {
  debug(record: object, text?: string): void
  info(record: object, text?: string): void
  warn(record: object, text?: string): void
  error(record: object, text?: string): void
}
