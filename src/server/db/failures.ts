const UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '57014', // query_canceled, by the statement timeout
  'SQLITE_FULL',
])

/** SQLSTATE class 08 is connection exceptions; PgBouncer reports every failure of its own as one of them, 08P01. */
const UNAVAILABLE_KINDS = /^(?:08|SQLITE_BUSY|SQLITE_IOERR)/

/** Whether an error means that the database is temporarily unavailable rather than a bug. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  if (code && (UNAVAILABLE.has(code) || UNAVAILABLE_KINDS.test(code))) return true
  return /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client was closed|Client has encountered a connection error/.test(
    message ?? '',
  )
}
