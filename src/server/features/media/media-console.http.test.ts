import { request } from 'node:http'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import type { ContentRecord } from '#contract/console/content.ts'
import type { NewsletterDetail } from '#contract/console/newsletter.ts'
import { PICTURE_TOO_LARGE, type PictureDetail } from '#contract/console/media.ts'
import { createDiskStore } from '#server/media-store/disk-store.ts'
import { mediaDirectory } from '#server/media-store/create-media-store.ts'
import { formatLocalTime } from '#server/lib/local-time.rules.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { createContentCache } from '#server/features/content/content-cache.service.ts'
import { createPageServices } from '#server/features/content/page-content.service.ts'
import { createPicturesService } from './pictures.service.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const FOLDER = '/api/console/media/home/articles'
/** Pictures are processed one at a time, each in its own process. */
vi.setConfig({ testTimeout: 60_000 })

function upload(browser: TestBrowser, path: string, body: Uint8Array<ArrayBuffer>) {
  const headers = { authorization: `Bearer ${browser.token}`, 'content-type': 'application/octet-stream' }
  return fetch(`${app().url}${path}`, { method: 'POST', headers, body })
}

/** The status and message for a request with this Content-Length and no body. */
function announce(bytes: number, authorization: string): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': bytes, 'content-type': 'application/octet-stream', authorization }
    const call = request(`${app().url}${FOLDER}?filename=a.png&alt=A`, { method: 'POST', headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += String(chunk)))
      response.on('end', () => {
        resolve([response.statusCode ?? 0, (JSON.parse(text) as { message: string }).message])
        call.destroy()
      })
    })
    call.on('error', reject)
    call.flushHeaders()
  })
}

test('a picture is added with its alt text, processed, found in its uses, and deleted', async () => {
  const editor = await officerWith(app(), ['editor'])
  const bytes = new Uint8Array(
    await sharp({ create: { width: 900, height: 600, channels: 3, background: '#346' } })
      .png()
      .toBuffer(),
  )
  const untold = await upload(editor, `${FOLDER}?filename=Gala%20Night.png&alt=`, bytes)
  expect([untold.status, (await untold.json()).errors]).toEqual([400, { alt: 'Please describe the image' }])

  const added = await upload(editor, `${FOLDER}?filename=Gala%20Night.png&alt=Lamps`, bytes)
  const picture = await added.json()
  expect([added.status, picture.address, picture.alt]).toEqual([201, '/media/home/articles/gala-night.png', 'Lamps'])
  expect(picture.sizes.map(({ width }: { width: number }) => width)).toContain(480)
  expect((await fetch(`${app().url}${picture.url}`)).status).toBe(200)

  const value = { title: 'With a picture', description: 'D', date: 'December 12, 2026', location: 'Macon' }
  const event = { value: { ...value, imageKey: [picture.address] }, version: '', action: 'draft' }
  expect((await editor.call('PUT', '/api/console/content/events/new', event)).status).toBe(200)
  const { pictures } = (await editor.get('/api/console/media?folder=home/articles')).body
  expect(pictures[0].usedIn).toEqual([
    { title: 'With a picture', what: 'event', path: '/console/content/events/with-a-picture', how: ['draft'] },
  ])
  await recordSecondFactor(app(), editor)
  const refused = await editor.call('DELETE', `${FOLDER}/gala-night.png`)
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'PICTURE_IN_USE',
    'This picture is used in “With a picture” (event). Replace it there first.',
  ])
  const { version } = (await editor.get('/api/console/content/events/with-a-picture')).body
  await editor.call('DELETE', `/api/console/content/events/with-a-picture?version=${version}`)
  const described = await editor.call('PUT', `${FOLDER}/gala-night.png`, { alt: 'Two lamps' })
  expect(described.body.alt).toBe('Two lamps')
  expect((await editor.call('DELETE', `${FOLDER}/gala-night.png`)).status).toBe(204)
  expect((await fetch(`${app().url}${picture.url}`)).status).toBe(404)
  expect((await editor.call('DELETE', `${FOLDER}/gala-night.png`)).status).toBe(404)
})

test('rejects files that are not images, are too large, or come from outsiders; 40 MB are not read', async () => {
  const editor = await officerWith(app(), ['editor'])
  const response = await upload(editor, `${FOLDER}?filename=a.png&alt=A`, new TextEncoder().encode('no picture'))
  expect((await response.json()).errors.file).toMatch(/^This file cannot be read as a picture/)
  expect((await upload(editor, '/api/console/media/home/..?filename=a.png&alt=A', new Uint8Array(9))).status).toBe(404)
  expect(await announce(40 * 1024 * 1024, `Bearer ${editor.token}`)).toEqual([413, PICTURE_TOO_LARGE])
  const heic = new TextEncoder().encode(`\0\0\0\x24ftypheic${'\0'.repeat(40)}`)
  expect((await (await upload(editor, `${FOLDER}?filename=a.heic&alt=A`, heic)).json()).errors.file).toMatch(
    /in HEIC format/,
  )
  expect(await announce(20 * 1024 * 1024, 'Bearer unknown')).toContain(401)
  const treasurer = await officerWith(app(), ['treasurer'])
  expect(await announce(20 * 1024 * 1024, `Bearer ${treasurer.token}`)).toContain(403)
  // Other folders are unchanged.
  const long = await editor.post('/api/console/preview', { markdown: 'x'.repeat(70_000) })
  expect(long.status).toBe(413)
})

/** Adds a one-color picture to the folder for content. */
async function add(editor: TestBrowser, filename: string, background = '#346'): Promise<PictureDetail> {
  const image = sharp({ create: { width: 900, height: 600, channels: 3, background } })
  const bytes = new Uint8Array(await image.jpeg().toBuffer())
  return (await upload(editor, `${FOLDER}?filename=${filename}&alt=A+picture`, bytes)).json() as Promise<PictureDetail>
}

/** The data of the event's page. */
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

test('a crop is made from the original, served at a new URL, and undone', async () => {
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
  const sponsors = {
    value: { sponsors: [{ id: 'a', name: 'A', logo: address }] },
    version: wall.version,
    action: 'publish',
  }
  expect((await editor.call('PUT', '/api/console/content/sponsors/all', sponsors)).status).toBe(200)
  await app().app.refreshContent()
  expect(JSON.stringify((await editor.get('/api/sponsors')).body)).toContain(`"logo":"${twice.url}"`)
  expect((await fetch(`${app().url}/media/home/articles/_originals/wide.jpg`)).status).toBe(404)

  const whole = (await editor.call('DELETE', `${FOLDER}/wide.jpg/crop`)).body as PictureDetail
  expect([whole.crop, whole.size]).toEqual([null, before.size])
  const thin = await editor.call('PUT', `${FOLDER}/wide.jpg/crop`, { ...left, width: 100 })
  expect(thin.body.errors).toEqual({ crop: 'The crop must be at least 50 pixels wide and high.' })
  const nowhere = await editor.call('PUT', `${FOLDER}/nothing.jpg/crop`, left)
  expect(nowhere.status).toBe(404)
  const { db } = app().database
  const audited = await db
    .selectFrom('audit')
    .select(['action'])
    .where('subjectId', '=', 'home/articles/wide.jpg')
    .execute()
  expect(audited.map(({ action }) => action).sort()).toEqual([
    'picture.added',
    'picture.cropped',
    'picture.cropped',
    'picture.uncropped',
  ])
})

test('a picture is replaced in published, draft and scheduled content and in unsent newsletters; each can be undone', async () => {
  const editor = await officerWith(app(), ['editor'])
  const [old, fresh] = [await add(editor, 'old.jpg'), await add(editor, 'new.jpg', '#a33')]
  const save = async (path: string, body: Record<string, unknown>) =>
    (await editor.call('PUT', `/api/console/content/events/${path}`, { version: '', ...body })).body as ContentRecord
  const shown = await save('new', { value: anEvent('Shown', old.address), action: 'publish' })
  const changed = { value: anEvent('Shown', old.address, { location: 'Savannah' }), version: shown.version }
  await save('shown', { ...changed, action: 'draft' })
  const publishAt = formatLocalTime(app().now() + 2 * HOUR_MS, app().config.timeZone)
  await save('new', { value: anEvent('Later', old.address), action: 'schedule', publishAt })

  const begun = (await editor.post('/api/console/newsletters', { name: 'Autumn' })).body as NewsletterDetail
  const newsletter = `/api/console/newsletters/${begun.id}`
  const response = { name: 'Autumn', subject: 'S', snippet: 'S', version: begun.version }
  const picture = { kind: 'picture', src: old.address, alt: 'A lamp' }
  const drawing = await editor.call('PUT', newsletter, {
    ...response,
    blocks: [{ ...picture, src: '/art/clinic.svg' }],
  })
  expect(drawing.body.errors).toEqual({
    'blocks.0.src': 'Email apps do not show SVG images. Please choose a photo.',
  })
  await editor.call('PUT', newsletter, { ...response, blocks: [picture] })
  const printed = async () => {
    const { path } = (await editor.get(`${newsletter}/preview`)).body as { path: string }
    return (await app().app.http.inject({ url: path })).body
  }
  const inEmail = (name: string) => `${app().config.siteUrl}/media/home/articles/_sizes/${name}.mail.jpg`
  expect(await printed()).toContain(`src="${inEmail('old.jpg')}" alt="A lamp" width="504"`)
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
  expect((await replace({ by: 'old.jpg', seen })).body.errors.by).toMatch(/a different picture/)
  const replaced = await replace({ by: 'new.jpg', seen })
  expect([replaced.status, replaced.body.usedIn]).toEqual([200, []])

  expect(await pageOf('shown')).toContain('/media/home/articles/new.jpg?v=')
  expect(await pageOf('shown')).not.toContain('old.jpg')
  const after = (await editor.get('/api/console/content/events/shown')).body as ContentRecord
  expect([after.state, after.value['location'], after.value['imageKey']]).toEqual([
    'changed',
    'Savannah',
    fresh.address,
  ])
  expect(after.revisions.map(({ action }) => action)).toEqual(['draft', 'published', 'draft', 'published'])
  const later = (await editor.get('/api/console/content/events/later')).body as ContentRecord
  expect([later.state, later.publishAt?.local, later.value['body']]).toEqual([
    'scheduled',
    publishAt,
    `![There](${fresh.address})`,
  ])
  expect(await printed()).toContain(inEmail('new.jpg'))
  const detail = (await editor.get(newsletter)).body as NewsletterDetail
  expect([detail.version, detail.blocks]).toEqual([3, [{ ...picture, src: fresh.address }]])

  await recordSecondFactor(app(), editor)
  expect((await editor.call('DELETE', `${FOLDER}/new.jpg`)).body.message).toBe(
    'This picture is used in “Shown” (event), “Later” (event), “Autumn” (newsletter). Replace it there first.',
  )
  const back = await editor.post('/api/console/content/events/shown/restore', { number: 1, version: after.version })
  expect([back.status, back.body.value.imageKey]).toEqual([200, old.address])
})

test('a sent newsletter keeps its picture: it is listed, unchanged, and does not prevent deletion', async () => {
  const editor = await officerWith(app(), ['editor'])
  const { address } = await add(editor, 'sent.jpg')
  await add(editor, 'instead.jpg')
  const begun = (await editor.post('/api/console/newsletters', { name: 'Winter' })).body as NewsletterDetail
  const blocks = [{ kind: 'picture', src: address, alt: 'Snow' }]
  const response = { name: 'Winter', subject: 'S', snippet: 'S', version: begun.version, blocks }
  await editor.call('PUT', `/api/console/newsletters/${begun.id}`, response)
  const { db } = app().database
  await db.updateTable('campaign').set({ sentAt: app().now() }).where('id', '=', begun.id).execute()
  const { usedIn } = (await editor.get(`${FOLDER}/sent.jpg`)).body as PictureDetail
  expect(usedIn.map(({ how }) => how)).toEqual([['sent']])
  const replaced = await editor.post(`${FOLDER}/sent.jpg/replacement`, { by: 'instead.jpg', seen: [] })
  expect([replaced.status, replaced.body.usedIn.length]).toEqual([200, 1])
  await recordSecondFactor(app(), editor)
  expect((await editor.call('DELETE', `${FOLDER}/sent.jpg`)).status).toBe(204)
})

test('a scheduled newsletter gets the new picture and stays scheduled', async () => {
  const editor = await officerWith(app(), ['editor'])
  const { address } = await add(editor, 'spring.jpg')
  const other = await add(editor, 'summer.jpg')
  await recordSecondFactor(app(), editor)
  const begun = (await editor.post('/api/console/newsletters', { name: 'Spring' })).body as NewsletterDetail
  const newsletter = `/api/console/newsletters/${begun.id}`
  const blocks = [{ kind: 'text', markdown: `![Buds](${address})` }]
  await editor.call('PUT', newsletter, { name: 'Spring', subject: 'S', snippet: 'S', version: begun.version, blocks })
  const at = formatLocalTime(app().now() + 2 * HOUR_MS, app().config.timeZone)
  expect((await editor.post(`${newsletter}/send`, { version: 2, at })).body.state).toBe('scheduled')
  const { usedIn } = (await editor.get(`${FOLDER}/spring.jpg`)).body as PictureDetail
  expect(usedIn).toEqual([
    { title: 'Spring', what: 'newsletter', path: `/console/newsletter/${begun.id}`, how: ['scheduled'] },
  ])
  const seen = usedIn.map(({ path }) => path)
  expect((await editor.post(`${FOLDER}/spring.jpg/replacement`, { by: 'summer.jpg', seen })).body.usedIn).toEqual([])
  const after = (await editor.get(newsletter)).body as NewsletterDetail
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

  test('a picture is cropped and restored, each time at a new URL', async () => {
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
    await recordSecondFactor(stored(), editor)
    expect((await editor.call('DELETE', `${FOLDER}/far.png`)).status).toBe(204)
  })
})
