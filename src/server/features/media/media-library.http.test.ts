import { beforeAll, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import type { DescribedPicture } from '#contract/console/media.ts'
import { officerWith } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const GALLERY = '/api/console/media/home/gallery'
let editor: TestBrowser
let bytes: Buffer
beforeAll(async () => {
  editor = await officerWith(app(), ['editor'])
  bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#246' } })
    .png()
    .toBuffer()
  for (const name of ['a.png', 'b.png', 'c.png']) await add(name)
})

async function add(filename: string, folder = GALLERY) {
  const headers = { authorization: `Bearer ${editor.token}`, 'content-type': 'application/octet-stream' }
  const response = await fetch(`${app().url}${folder}?filename=${filename}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(bytes),
  })
  return { status: response.status, body: (await response.json()) as DescribedPicture }
}

const list = async (query = '') =>
  (await editor.get(`/api/console/media${query}`)).body as {
    pictures: DescribedPicture[]
    folders: { folder: string; count: number }[]
    total: number
    undescribed: number
  }
const names = ({ pictures }: { pictures: DescribedPicture[] }) => pictures.map(({ filename }) => filename)
/** As visitors get them. */
async function shown(): Promise<string[]> {
  await app().app.refreshContent()
  const { body } = await app().browser().get('/api/s3/home/folder/gallery')
  return body.data.images.map(({ filename }: { filename: string }) => filename)
}

test('pictures are added without alt text, which is asked afterwards; the texts of one are its own', async () => {
  const { pictures, undescribed, folders } = await list('?folder=home/gallery')
  expect(pictures.map(({ filename, alt, caption }) => [filename, alt, caption])).toEqual([
    ['a.png', '', ''],
    ['b.png', '', ''],
    ['c.png', '', ''],
  ])
  expect([undescribed, folders.find(({ folder }) => folder === 'gallery')?.count]).toEqual([3, 3])
  const named = await editor.call('PUT', `${GALLERY}/a.png`, { alt: 'People dance' })
  expect([named.status, named.body.alt, named.body.caption]).toEqual([200, 'People dance', ''])
  const captioned = await editor.call('PUT', `${GALLERY}/a.png`, { caption: 'Garba in Macon' })
  expect([captioned.body.alt, captioned.body.caption]).toEqual(['People dance', 'Garba in Macon'])
  expect(names(await list('?filter=undescribed'))).toEqual(expect.arrayContaining(['b.png', 'c.png']))
  expect((await list('?filter=undescribed')).total).toBe(2)
})

describe('the order of a folder', () => {
  test('is what officers choose, in the console and for visitors; new pictures come last', async () => {
    const saved = await editor.call('PUT', '/api/console/media-order/home/gallery', {
      filenames: ['c.png', 'a.png', 'b.png'],
    })
    expect(saved.status).toBe(204)
    expect(names(await list('?folder=home/gallery'))).toEqual(['c.png', 'a.png', 'b.png'])
    expect(await shown()).toEqual(['c.png', 'a.png', 'b.png'])
    await add('aa.png')
    expect(names(await list('?folder=home/gallery'))).toEqual(['c.png', 'a.png', 'b.png', 'aa.png'])
    expect((await list('?folder=home/gallery')).pictures[1]).toMatchObject({ alt: 'People dance' })
  })

  test('is refused if the folder has changed meanwhile', async () => {
    const stale = await editor.call('PUT', '/api/console/media-order/home/gallery', { filenames: ['a.png', 'c.png'] })
    expect([stale.status, stale.body.code]).toEqual([409, 'CHANGED_MEANWHILE'])
    expect((await editor.call('PUT', '/api/console/media-order/home/none', { filenames: [] })).status).toBe(404)
  })
})

test('a picture is renamed in the library; its address stays, so that nothing that shows it breaks', async () => {
  const before = (await editor.get(`${GALLERY}/b.png`)).body as DescribedPicture
  const renamed = await editor.call('PUT', `${GALLERY}/b.png`, { name: 'Lamp at the gala' })
  expect([renamed.body.name, renamed.body.address]).toEqual(['Lamp at the gala', before.address])
  expect(names(await list('?q=LAMP+at'))).toEqual(['b.png'])
  const audit = await app()
    .database.db.selectFrom('audit')
    .select('action')
    .where('action', '=', 'picture.named')
    .execute()
  expect(audit).toHaveLength(1)
})

test('unused pictures are those that wait to be chosen and were not', async () => {
  await add('used.png', '/api/console/media/home/articles')
  await add('spare.png', '/api/console/media/home/articles')
  const { address } = (await editor.get('/api/console/media/home/articles/used.png')).body as DescribedPicture
  const value = { title: 'T', description: 'D', markdown: `![A](${address})`, menu: 'none' }
  await editor.call('PUT', '/api/console/content/added-pages/new', { value, version: '', action: 'publish' })
  expect(names(await list('?filter=unused'))).toEqual(['spare.png'])
  expect(names(await list('?sort=name&q=s'))).toEqual(expect.arrayContaining(['spare.png', 'used.png']))
})
