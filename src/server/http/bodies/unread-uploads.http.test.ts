import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const MIB = 1024 * 1024

/** Sends a file of 20 MB until the site closes the connection; returns the response and the number of bytes sent. */
async function upload(path: string, headers = ''): Promise<{ text: string; sent: number }> {
  const socket = connect(Number(new URL(app().url).port), '127.0.0.1')
  let text = ''
  let isOver = false
  socket.on('data', (chunk) => (text += String(chunk)))
  for (const event of ['close', 'end', 'error']) socket.on(event, () => (isOver = true))
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: image/jpeg\r\nContent-Length: ${20 * MIB}\r\n${headers}\r\n`,
  )
  let sent = 0
  for (let chunkNumber = 0; chunkNumber < 200 && !isOver; chunkNumber++) {
    if (socket.writableLength < MIB) {
      socket.write(Buffer.alloc(100_000))
      sent += 100_000
    }
    await sleep(5)
  }
  socket.destroy()
  return { text, sent }
}

test.each([
  ['/api/console/media/home/gallery?name=a.jpg', ''],
  ['/api/console/media/home/gallery?name=a.jpg', 'Authorization: Bearer nonsense\r\n'],
])(
  'an upload to %s without authorization (%j) is refused before it is read, and the connection ends',
  async (path, more) => {
    const { text, sent } = await upload(path, more)
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
    expect(text).toMatch(/connection: close/i)
    expect(sent).toBeLessThan(12 * MIB)
  },
)
