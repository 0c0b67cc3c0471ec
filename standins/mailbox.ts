import type { AddressInfo, Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Clock } from './clock.ts'
import type { Fault, Faults } from './faults.ts'
import { BLACKHOLE_MS } from './faults.ts'
import type { MailStore } from './mail-store.ts'

export type Mailbox = {
  port: number
  /** Closes open connections that would not notice the new fault. */
  faultChanged(): void
  close(): Promise<void>
}

type Connection = { id: string; _socket: Socket; connectionReady(): void }

/**
 * Greets at once. The library waits 100 ms for clients that talk too soon (smtp-connection.js, `init`); a test with one
 * email would mostly wait for that.
 */
class PromptServer extends SMTPServer {
  override connect(...socket: Parameters<SMTPServer['connect']>): void {
    super.connect(...socket)
    const connection = connectionsOf(this).find(({ _socket }) => _socket === socket[0])
    if (!connection) return
    const greet = connection.connectionReady.bind(connection)
    connection.connectionReady = () => {}
    greet()
  }
}

function connectionsOf(server: SMTPServer): Connection[] {
  return [...(server as unknown as { connections: Set<Connection> }).connections]
}

/** SMTP errors returned before the email is sent. */
const REFUSALS: Partial<Record<Fault['kind'], { code: number; text: string }>> = {
  error: { code: 554, text: '5.3.0 Transaction failed' },
  permanent: { code: 550, text: '5.1.1 The email account that you tried to reach does not exist' },
  temporary: { code: 451, text: '4.3.0 Temporary failure, please try again later' },
  limited: { code: 421, text: '4.7.0 Too many messages, try again later' },
}

const BREAKS_CONNECTIONS = new Set(['refuse', 'reset', 'blackhole'])

type MailboxParts = { port: number; store: MailStore; clock: Clock; faults: Faults }

/** An SMTP server on the loopback address that accepts every email. */
export async function serveMailbox({ port, store, clock, faults }: MailboxParts): Promise<Mailbox> {
  const takeFault = new WeakMap<SMTPServerSession, Fault>()

  const smtp = new PromptServer({
    authOptional: true,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    logger: false,
    banner: 'mailbox stand-in',
    closeTimeout: 1000,
    onAuth: (_auth, _session, callback) => callback(null, { user: 'anyone' }),
    onMailFrom(_address, session, callback) {
      const fault = faults.consume('mail')
      if (fault) takeFault.set(session, fault)
      else takeFault.delete(session)
      if (fault?.kind === 'garbage') return socketOf(session)?.write('HTTP/1.1 200 OK\r\n\r\n<html>\r\n')
      if (fault?.kind === 'refuse') return socketOf(session)?.destroy()
      const refusal = fault && fault.kind !== 'permanent' ? REFUSALS[fault.kind] : undefined
      return callback(refusal ? smtpError(refusal) : null)
    },
    onRcptTo(_address, session, callback) {
      const refusal = takeFault.get(session)?.kind === 'permanent' ? REFUSALS.permanent : undefined
      callback(refusal ? smtpError(refusal) : null)
    },
    onData(stream, session, callback) {
      receive(stream, session).then(
        (isAnswered) => isAnswered && callback(null),
        (error: Error) => callback(error),
      )
    },
  })
  smtp.on('error', () => {
    // The client disconnected; emails it had sent completely are stored.
  })

  /** Returns false when the client must not get a response. */
  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<boolean> {
    const fault = takeFault.get(session)
    if (fault?.kind === 'reset') {
      socketOf(session)?.resetAndDestroy()
      return false
    }
    const chunks: Buffer[] = []
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
    if (fault?.kind === 'blackhole') {
      await sleep(BLACKHOLE_MS, undefined, { ref: false })
      socketOf(session)?.destroy()
      return false
    }
    if (fault?.kind === 'slow') await sleep(fault.slowMs)
    const { mailFrom, rcptTo } = session.envelope
    const envelope = {
      from: mailFrom ? mailFrom.address : '',
      to: rcptTo.map(({ address }) => address),
      receivedAt: clock.now(),
    }
    await store.add(envelope, Buffer.concat(chunks))
    if (fault?.kind !== 'lostReply') return true
    socketOf(session)?.destroy()
    return false
  }

  function socketOf({ id }: SMTPServerSession): Socket | undefined {
    return connectionsOf(smtp).find((connection) => connection.id === id)?._socket
  }

  const server = (smtp as unknown as { server: Server }).server
  server.prependListener('connection', (socket: Socket) => {
    if (faults.peek('mail')?.kind !== 'refuse') return
    faults.consume('mail')
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    smtp.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })

  return {
    port: (server.address() as AddressInfo).port,
    faultChanged() {
      const kind = faults.peek('mail')?.kind
      if (kind !== undefined && BREAKS_CONNECTIONS.has(kind))
        connectionsOf(smtp).forEach(({ _socket }) => _socket.destroy())
    },
    close: () =>
      new Promise((resolve) => {
        smtp.close(() => resolve())
        connectionsOf(smtp).forEach(({ _socket }) => _socket.destroy())
      }),
  }
}

function smtpError({ code, text }: { code: number; text: string }): Error {
  return Object.assign(new Error(text), { responseCode: code })
}
