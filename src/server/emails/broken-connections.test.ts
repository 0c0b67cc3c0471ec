import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createBulkMailer } from './bulk-mailer.ts'
import { checkMailServer } from './mail-server.ts'

const SOON_MS = 3_000
const REPLIES: Record<string, string> = {
  EHLO: '250-mail.example.org\r\n250 AUTH PLAIN\r\n',
  AUTH: '235 welcome\r\n',
  MAIL: '250 ok\r\n',
  RCPT: '450 later\r\n',
}

/** A mail server that closes the connection on this command. */
async function startServer(closesOn: string) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.write('220 mail.example.org\r\n')
    socket.on('data', (line) => {
      const word = String(line).slice(0, 4)
      if (word === closesOn) socket.destroy()
      else socket.write(REPLIES[word] ?? '500 what?\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    smtpUrl: `smtp://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function mailerOf(smtpUrl: string) {
  return createBulkMailer({ smtpUrl, from: 'Us <us@example.org>', bounceAddress: null, dkim: null })
}

const copy = { to: 'ana@example.com', id: 'one', headers: {}, subject: '', html: '', text: '' }

test('sending does not hang if the server closes the connection during the login', { timeout: SOON_MS }, async () => {
  await using server = await startServer('AUTH')
  expect(await mailerOf(server.smtpUrl).send([copy])).toMatchObject([{ kind: 'unsent' }])
})

test(
  'sending does not hang if the server closes the connection after rejecting a copy',
  { timeout: SOON_MS },
  async () => {
    await using server = await startServer('RSET')
    const mailer = mailerOf(server.smtpUrl)
    expect(await mailer.send([copy])).toMatchObject([{ kind: 'deferred' }])
    // The next copy uses a new connection.
    expect(await mailer.send([copy])).toMatchObject([{ kind: 'deferred' }])
  },
)

test('a rejected login leaves no connection open', { timeout: SOON_MS }, async () => {
  REPLIES['AUTH'] = '535 no\r\n'
  await using server = await startServer('')
  expect(await mailerOf(server.smtpUrl).send([copy])).toMatchObject([{ kind: 'unsent' }])
  REPLIES['AUTH'] = '235 welcome\r\n'
  await expect.poll(server.open).toBe(0)
})

test('the mail server check reports a connection closed during the login', { timeout: SOON_MS }, async () => {
  await using server = await startServer('AUTH')
  const findings = await checkMailServer(server.smtpUrl)
  expect(findings.at(-1)).toMatchObject({ verdict: 'wrong' })
  expect(findings.at(-1)?.text).toContain('The server closed the connection during the login')
})
