import { createServer } from 'node:http'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, test } from 'vitest'
import { connectOnlyToThisMachine } from './loopback-only.ts'

test('a process that may reach this machine only reaches nothing else', async () => {
  const server = createServer((_request, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  connectOnlyToThisMachine()

  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('here')
  expect(await (await fetch(`http://localhost:${port}`)).text()).toBe('here')
  const refused = { cause: { code: 'ERR_NOT_THIS_MACHINE' } }
  for (const url of [
    'http://192.0.2.1',
    'https://example.org',
    'http://169.254.169.254/latest',
    'http://127.0.0.1.nip.io',
  ])
    await expect(fetch(url)).rejects.toMatchObject(refused)
  const sockets = [connect(25, 'mail.example.org'), connectTls({ host: '10.0.0.1', port: 465 })]
  const errors = await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('error', resolve))))
  expect(errors).toEqual([expect.objectContaining(refused.cause), expect.objectContaining(refused.cause)])
  server.close()
  server.closeAllConnections()
})
