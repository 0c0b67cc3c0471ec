import { SMTPServer } from 'smtp-server'
import { freePort } from './processes.ts'

/** The reply to a recipient, by the beginning of the address. */
const REPLIES: Record<string, { code: number; text: string }> = {
  gone: { code: 550, text: '5.1.1 The email account that you tried to reach does not exist' },
  full: { code: 552, text: '5.2.2 The email account that you tried to reach is over quota' },
  away: { code: 451, text: '4.3.0 Temporary failure, please try again later' },
}

/** The mail server of a domain whose recipients are refused: `gone…` and `full…` for good, `away…` each time for the moment. */
export async function startRefusingMailServer(): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, _session, callback) {
      const { code, text } = REPLIES[address.slice(0, 4)] ?? { code: 550, text: '5.7.1 Unknown case' }
      callback(Object.assign(new Error(text), { responseCode: code }))
    },
  })
  server.on('error', () => {})
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return { port, close: () => new Promise((done) => server.close(() => done())) }
}
