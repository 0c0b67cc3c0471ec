import { request } from 'node:http'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { officerWith } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import type { TestBrowser } from '#tests/support/test-browser.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const FOLDER = '/api/console/media/home/articles'

function upload(browser: TestBrowser, path: string, body: Uint8Array<ArrayBuffer>) {
  const headers = { authorization: `Bearer ${browser.token}`, 'content-type': 'application/octet-stream' }
  return fetch(`${app().url}${path}`, { method: 'POST', headers, body })
}

/** A request that announces so many bytes and sends none. */
function announce(bytes: number, authorization: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': bytes, 'content-type': 'application/octet-stream', authorization }
    const call = request(`${app().url}${FOLDER}?filename=a.png&alt=A`, { method: 'POST', headers }, (answer) => {
      resolve(answer.statusCode ?? 0)
      call.destroy()
    })
    call.on('error', reject)
    call.flushHeaders()
  })
}

test('a picture is taken with what it shows, made ready, found where it is used, and deleted', async () => {
  const editor = await officerWith(app(), ['editor'])
  const bytes = new Uint8Array(
    await sharp({ create: { width: 900, height: 600, channels: 3, background: '#346' } })
      .png()
      .toBuffer(),
  )
  const untold = await upload(editor, `${FOLDER}?filename=Gala%20Night.png&alt=`, bytes)
  expect([untold.status, (await untold.json()).errors]).toEqual([400, { alt: 'Please say what the picture shows' }])

  const added = await upload(editor, `${FOLDER}?filename=Gala%20Night.png&alt=Lamps`, bytes)
  const picture = await added.json()
  expect([added.status, picture.address, picture.alt]).toEqual([201, '/media/home/articles/gala-night.png', 'Lamps'])
  expect(picture.sizes.map(({ width }: { width: number }) => width)).toContain(480)
  expect((await fetch(`${app().url}${picture.url}`)).status).toBe(200)

  const value = { title: 'With a picture', description: 'D', date: 'December 12, 2026', location: 'Macon' }
  const event = { value: { ...value, imageKey: [picture.address] }, version: '', action: 'draft' }
  expect((await editor.call('PUT', '/api/console/content/events/new', event)).status).toBe(200)
  const { folders } = (await editor.get('/api/console/media')).body
  expect(folders[0].pictures[0].usedIn).toEqual([
    { title: 'With a picture', path: '/console/content/events/with-a-picture' },
  ])
  const described = await editor.call('PUT', `${FOLDER}/gala-night.png`, { alt: 'Two lamps' })
  expect(described.body.alt).toBe('Two lamps')
  expect((await editor.call('DELETE', `${FOLDER}/gala-night.png`)).status).toBe(204)
  expect((await fetch(`${app().url}${picture.url}`)).status).toBe(404)
  expect((await editor.call('DELETE', `${FOLDER}/gala-night.png`)).status).toBe(404)
})

test('what is no picture, too large, or brought by a stranger is refused; of 40 MB nothing is read', async () => {
  const editor = await officerWith(app(), ['editor'])
  const words = await upload(editor, `${FOLDER}?filename=a.png&alt=A`, new TextEncoder().encode('no picture'))
  expect((await words.json()).errors.file).toMatch(/^This file is no picture/)
  expect((await upload(editor, '/api/console/media/home/..?filename=a.png&alt=A', new Uint8Array(9))).status).toBe(404)
  expect(await announce(40 * 1024 * 1024, `Bearer ${editor.token}`)).toBe(413)
  expect(await announce(20 * 1024 * 1024, 'Bearer nobody')).toBe(401)
  const treasurer = await officerWith(app(), ['treasurer'])
  expect(await announce(20 * 1024 * 1024, `Bearer ${treasurer.token}`)).toBe(403)
  // Elsewhere nothing has changed.
  const long = await editor.post('/api/console/preview', { markdown: 'x'.repeat(70_000) })
  expect(long.status).toBe(413)
})
