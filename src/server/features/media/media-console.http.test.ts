import { request } from 'node:http'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import type { ContentRecord } from '#contract/console-content.ts'
import type { NewsletterDetail } from '#contract/console-newsletter.ts'
import { PICTURE_TOO_LARGE, type PictureDetail } from '#contract/console-media.ts'
import { createDiskStore } from '#server/media/disk-store.ts'
import { mediaDirectory } from '#server/media/create-media-store.ts'
import { localOf } from '#server/platform/local-time.rules.ts'
import { officerWith, prove } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import type { TestBrowser } from '#tests/support/test-browser.ts'
import { createContentCache } from '../association/content-cache.ts'
import { createPageServices } from '../association/page-services.ts'
import { createPicturesService } from './pictures.service.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const FOLDER = '/api/console/media/home/articles'
/** Each picture is prepared in a process of its own, one after the other. */
vi.setConfig({ testTimeout: 60_000 })

function upload(browser: TestBrowser, path: string, body: Uint8Array<ArrayBuffer>) {
  const headers = { authorization: `Bearer ${browser.token}`, 'content-type': 'application/octet-stream' }
  return fetch(`${app().url}${path}`, { method: 'POST', headers, body })
}

/** The status and the sentence for a request that announces so many bytes and sends none. */
function announce(bytes: number, authorization: string): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': bytes, 'content-type': 'application/octet-stream', authorization }
    const call = request(`${app().url}${FOLDER}?filename=a.png&alt=A`, { method: 'POST', headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += String(chunk)))
      answer.on('end', () => {
        resolve([answer.statusCode ?? 0, (JSON.parse(text) as { message: string }).message])
        call.destroy()
      })
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
    { title: 'With a picture', what: 'event', path: '/console/content/events/with-a-picture', how: ['draft'] },
  ])
  await prove(app(), editor)
  const refused = await editor.call('DELETE', `${FOLDER}/gala-night.png`)
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'PICTURE_IN_USE',
    'This picture is used in “With a picture” (event). Put another in its place first.',
  ])
  const { version } = (await editor.get('/api/console/content/events/with-a-picture')).body
  await editor.call('DELETE', `/api/console/content/events/with-a-picture?version=${version}`)
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
  expect(await announce(40 * 1024 * 1024, `Bearer ${editor.token}`)).toEqual([413, PICTURE_TOO_LARGE])
  const heic = new TextEncoder().encode(`\0\0\0\x24ftypheic${'\0'.repeat(40)}`)
  expect((await (await upload(editor, `${FOLDER}?filename=a.heic&alt=A`, heic)).json()).errors.file).toMatch(/is HEIC/)
  expect(await announce(20 * 1024 * 1024, 'Bearer nobody')).toContain(401)
  const treasurer = await officerWith(app(), ['treasurer'])
  expect(await announce(20 * 1024 * 1024, `Bearer ${treasurer.token}`)).toContain(403)
  // Elsewhere nothing has changed.
  const long = await editor.post('/api/console/preview', { markdown: 'x'.repeat(70_000) })
  expect(long.status).toBe(413)
})

/** A picture of the folder from which officers choose, in one colour. */
async function add(editor: TestBrowser, filename: string, background = '#346'): Promise<PictureDetail> {
  const image = sharp({ create: { width: 900, height: 600, channels: 3, background } })
  const bytes = new Uint8Array(await image.jpeg().toBuffer())
  return (await upload(editor, `${FOLDER}?filename=${filename}&alt=A+picture`, bytes)).json() as Promise<PictureDetail>
}

/** What the event's page is made of now. */
async function pageOf(id: string): Promise<string> {
  const { now, config, database } = app()
  const clock = { now, close() {} }
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const store = createDiskStore(mediaDirectory(config.dataDirectory))
  const cache = await createContentCache({ ...config, db: database.db, clock, log, polling: false })
  const pictures = createPicturesService({ store, clock, log })
  return JSON.stringify(await createPageServices(config, cache, () => true, pictures).event(id))
}

const anEvent = (title: string, image: string, over: Record<string, unknown> = {}) => ({
  title,
  description: 'D',
  date: 'December 12, 2026',
  location: 'Macon',
  imageKey: [image],
  body: `![There](${image})`,
  ...over,
})

test('a crop is made from the original, shown to visitors at an address their browsers do not know, and undone', async () => {
  const editor = await officerWith(app(), ['editor'])
  const { address } = await add(editor, 'wide.jpg')
  const saved = { value: anEvent('Cropped', address), version: '', action: 'publish' }
  expect((await editor.call('PUT', '/api/console/content/events/new', saved)).status).toBe(200)
  const seen = async () => (await editor.get(`${FOLDER}/wide.jpg`)).body as PictureDetail
  const before = await seen()
  expect([before.crop, before.original?.width, before.original?.height]).toEqual([null, 900, 600])
  expect(before.original?.preview).toMatch(/^data:image\/webp;base64,/)

  const left = { left: 0, top: 0, width: 5_000, height: 10_000 }
  const once = (await editor.call('PUT', `${FOLDER}/wide.jpg/crop`, left)).body as PictureDetail
  const square = { left: 2_500, top: 0, width: 6_667, height: 10_000 }
  const twice = (await editor.call('PUT', `${FOLDER}/wide.jpg/crop`, square)).body as PictureDetail
  expect([once.crop, twice.crop, twice.original?.width]).toEqual([left, square, 900])
  const served = await sharp(Buffer.from(await (await fetch(`${app().url}${twice.url}`)).arrayBuffer())).metadata()
  expect([served.width, served.height]).toEqual([600, 600])
  expect(twice.sizes?.map(({ width }) => width)).toEqual([480, 480, 600, 600])
  expect(new Set([before.url, once.url, twice.url]).size).toBe(3)
  expect(await pageOf('cropped')).toContain(twice.url)
  expect(await pageOf('cropped')).not.toContain(`${address}"`)
  const wall = (await editor.get('/api/console/content/sponsors/all')).body as ContentRecord
  const sponsors = { value: { sponsors: [{ name: 'A', logo: address }] }, version: wall.version, action: 'publish' }
  expect((await editor.call('PUT', '/api/console/content/sponsors/all', sponsors)).status).toBe(200)
  await app().app.refreshContent()
  expect(JSON.stringify((await editor.get('/api/sponsors')).body)).toContain(`"logo":"${twice.url}"`)
  expect((await fetch(`${app().url}/media/home/articles/_originals/wide.jpg`)).status).toBe(404)

  const whole = (await editor.call('DELETE', `${FOLDER}/wide.jpg/crop`)).body as PictureDetail
  expect([whole.crop, whole.size]).toEqual([null, before.size])
  const thin = await editor.call('PUT', `${FOLDER}/wide.jpg/crop`, { ...left, width: 100 })
  expect(thin.body.errors).toEqual({ crop: 'Keep at least 50 pixels of the picture in each direction.' })
  const nowhere = await editor.call('PUT', `${FOLDER}/nothing.jpg/crop`, left)
  expect(nowhere.status).toBe(404)
  const { db } = app().database
  const audited = await db
    .selectFrom('audit')
    .select(['action'])
    .where('subject_id', '=', 'home/articles/wide.jpg')
    .execute()
  expect(audited.map(({ action }) => action).sort()).toEqual([
    'picture.added',
    'picture.cropped',
    'picture.cropped',
    'picture.uncropped',
  ])
})

test('another picture takes its place in what is public, in drafts, in what is scheduled and in letters not sent; each can be undone', async () => {
  const editor = await officerWith(app(), ['editor'])
  const [old, fresh] = [await add(editor, 'old.jpg'), await add(editor, 'new.jpg', '#a33')]
  const save = async (path: string, body: Record<string, unknown>) =>
    (await editor.call('PUT', `/api/console/content/events/${path}`, { version: '', ...body })).body as ContentRecord
  const shown = await save('new', { value: anEvent('Shown', old.address), action: 'publish' })
  const changed = { value: anEvent('Shown', old.address, { location: 'Savannah' }), version: shown.version }
  await save('shown', { ...changed, action: 'draft' })
  const publishAt = localOf(app().now() + 2 * HOUR_MS, app().config.timeZone)
  await save('new', { value: anEvent('Later', old.address), action: 'schedule', publishAt })

  const begun = (await editor.post('/api/console/newsletters', { name: 'Autumn' })).body as NewsletterDetail
  const letter = `/api/console/newsletters/${begun.id}`
  const words = { name: 'Autumn', subject: 'S', snippet: 'S', version: begun.version }
  const picture = { kind: 'picture', src: old.address, alt: 'A lamp' }
  const drawing = await editor.call('PUT', letter, { ...words, blocks: [{ ...picture, src: '/art/clinic.svg' }] })
  expect(drawing.body.errors).toEqual({
    'blocks.0.src': 'Mail programs do not show drawings. Please choose a photograph.',
  })
  await editor.call('PUT', letter, { ...words, blocks: [picture] })
  const printed = async () => {
    const { path } = (await editor.get(`${letter}/preview`)).body as { path: string }
    return (await app().app.http.inject({ url: path })).body
  }
  const inLetter = (name: string) => `${app().config.siteUrl}/media/home/articles/_sizes/${name}.mail.jpg`
  expect(await printed()).toContain(`src="${inLetter('old.jpg')}" alt="A lamp" width="504"`)
  const mailed = await fetch(`${app().url}/media/home/articles/_sizes/old.jpg.mail.jpg`)
  expect([mailed.status, mailed.headers.get('content-type')]).toEqual([200, 'image/jpeg'])

  const { usedIn } = (await editor.get(`${FOLDER}/old.jpg`)).body as PictureDetail
  expect(usedIn.map(({ title, what, how }) => [title, what, how])).toEqual([
    ['Shown', 'event', ['public', 'draft']],
    ['Later', 'event', ['scheduled']],
    ['Autumn', 'newsletter', ['draft']],
  ])
  const seen = usedIn.map(({ path }) => path)
  const replace = (body: object) => editor.post(`${FOLDER}/old.jpg/replacement`, body)
  expect((await replace({ by: 'new.jpg', seen: seen.slice(1) })).body.code).toBe('CHANGED_MEANWHILE')
  expect((await replace({ by: 'none.jpg', seen })).status).toBe(404)
  expect((await replace({ by: 'old.jpg', seen })).body.errors.by).toMatch(/another picture/)
  const replaced = await replace({ by: 'new.jpg', seen })
  expect([replaced.status, replaced.body.usedIn]).toEqual([200, []])

  expect(await pageOf('shown')).toContain('/media/home/articles/new.jpg?v=')
  expect(await pageOf('shown')).not.toContain('old.jpg')
  const after = (await editor.get('/api/console/content/events/shown')).body as ContentRecord
  expect([after.state, after.value['location'], after.value['imageKey']]).toEqual([
    'changed',
    'Savannah',
    [fresh.address],
  ])
  expect(after.revisions.map(({ action }) => action)).toEqual(['draft', 'published', 'draft', 'published'])
  const later = (await editor.get('/api/console/content/events/later')).body as ContentRecord
  expect([later.state, later.publishAt?.local, later.value['body']]).toEqual([
    'scheduled',
    publishAt,
    `![There](${fresh.address})`,
  ])
  expect(await printed()).toContain(inLetter('new.jpg'))
  const detail = (await editor.get(letter)).body as NewsletterDetail
  expect([detail.version, detail.blocks]).toEqual([3, [{ ...picture, src: fresh.address }]])

  await prove(app(), editor)
  expect((await editor.call('DELETE', `${FOLDER}/new.jpg`)).body.message).toBe(
    'This picture is used in “Shown” (event), “Later” (event), “Autumn” (newsletter). Put another in its place first.',
  )
  const back = await editor.post('/api/console/content/events/shown/restore', { number: 1, version: after.version })
  expect([back.status, back.body.value.imageKey]).toEqual([200, old.address])
})

test('a letter that was sent keeps its picture: it is named, not changed, and does not forbid deleting', async () => {
  const editor = await officerWith(app(), ['editor'])
  const { address } = await add(editor, 'sent.jpg')
  await add(editor, 'instead.jpg')
  const begun = (await editor.post('/api/console/newsletters', { name: 'Winter' })).body as NewsletterDetail
  const blocks = [{ kind: 'picture', src: address, alt: 'Snow' }]
  const words = { name: 'Winter', subject: 'S', snippet: 'S', version: begun.version, blocks }
  await editor.call('PUT', `/api/console/newsletters/${begun.id}`, words)
  const { db } = app().database
  await db.updateTable('campaign').set({ sent_at: app().now() }).where('id', '=', begun.id).execute()
  const { usedIn } = (await editor.get(`${FOLDER}/sent.jpg`)).body as PictureDetail
  expect(usedIn.map(({ how }) => how)).toEqual([['sent']])
  const replaced = await editor.post(`${FOLDER}/sent.jpg/replacement`, { by: 'instead.jpg', seen: [] })
  expect([replaced.status, replaced.body.usedIn.length]).toEqual([200, 1])
  await prove(app(), editor)
  expect((await editor.call('DELETE', `${FOLDER}/sent.jpg`)).status).toBe(204)
})

test('a scheduled letter gets the other picture and stays scheduled', async () => {
  const editor = await officerWith(app(), ['editor'])
  const { address } = await add(editor, 'spring.jpg')
  const other = await add(editor, 'summer.jpg')
  await prove(app(), editor)
  const begun = (await editor.post('/api/console/newsletters', { name: 'Spring' })).body as NewsletterDetail
  const letter = `/api/console/newsletters/${begun.id}`
  const blocks = [{ kind: 'text', markdown: `![Buds](${address})` }]
  await editor.call('PUT', letter, { name: 'Spring', subject: 'S', snippet: 'S', version: begun.version, blocks })
  const at = localOf(app().now() + 2 * HOUR_MS, app().config.timeZone)
  expect((await editor.post(`${letter}/send`, { version: 2, at })).body.state).toBe('scheduled')
  const { usedIn } = (await editor.get(`${FOLDER}/spring.jpg`)).body as PictureDetail
  expect(usedIn).toEqual([
    { title: 'Spring', what: 'newsletter', path: `/console/newsletter/${begun.id}`, how: ['scheduled'] },
  ])
  const seen = usedIn.map(({ path }) => path)
  expect((await editor.post(`${FOLDER}/spring.jpg/replacement`, { by: 'summer.jpg', seen })).body.usedIn).toEqual([])
  const after = (await editor.get(letter)).body as NewsletterDetail
  expect([after.state, after.blocks]).toEqual(['scheduled', [{ kind: 'text', markdown: `![Buds](${other.address})` }]])
})

describe('in object storage', () => {
  const stored = useTestApp({
    environment: ({ url }) => ({
      S3_ENDPOINT: `${url}/s3`,
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
      S3_BUCKET_HOME: 'association-home',
      S3_BUCKET_CLINIC: 'association-clinic',
      S3_BUCKET_EXEC: 'association-exec',
      RATE_LIMITS: 'x100',
    }),
  })

  test('a picture is cropped and given back, each time at another address', async () => {
    const editor = await officerWith(stored(), ['editor'])
    const image = sharp({ create: { width: 900, height: 600, channels: 3, background: '#346' } })
    const headers = { authorization: `Bearer ${editor.token}`, 'content-type': 'application/octet-stream' }
    const body = new Uint8Array(await image.png().toBuffer())
    await fetch(`${stored().url}${FOLDER}?filename=far.png&alt=Far`, { method: 'POST', headers, body })
    const half = { left: 0, top: 0, width: 5_000, height: 10_000 }
    const before = (await editor.get(`${FOLDER}/far.png`)).body as PictureDetail
    await stored().advance(1_000)
    const cropped = (await editor.call('PUT', `${FOLDER}/far.png/crop`, half)).body as PictureDetail
    expect([cropped.crop, cropped.original?.width]).toEqual([half, 900])
    const served = await sharp(Buffer.from(await (await fetch(cropped.url)).arrayBuffer())).metadata()
    expect([served.width, cropped.url === before.url]).toEqual([450, false])
    const whole = (await editor.call('DELETE', `${FOLDER}/far.png/crop`)).body as PictureDetail
    expect([whole.crop, whole.original?.width]).toEqual([null, 900])
    await prove(stored(), editor)
    expect((await editor.call('DELETE', `${FOLDER}/far.png`)).status).toBe(204)
  })
})
