import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ARTICLES_FOLDER } from '#contract/public/media.ts'
import { request, sendBytes, statusesIn } from '#tests/trust/http.ts'
import { inParallel } from '#tests/trust/load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { LISTED_FOLDERS } from '#tests/trust/faults/storage.ts'

const PLACES = LISTED_FOLDERS.map(({ bucket, folder }) => `${bucket}/${folder}`)
const BUCKETS = { home: 'association-home', clinic: 'association-clinic', exec: 'association-exec' }
/** The folder the site uses to check its storage (`watching.ts`). */
const WATCHED = `${BUCKETS.home}/hero`
const SECRET = 'what-lies-outside-the-media-folder'

/** Payloads that could redirect a request, before URL encoding; `canary` is a server that must not be called. */
function strangers(canary: string): string[] {
  const { host } = new URL(canary)
  const urls = [
    canary,
    `${canary}/hero`,
    `//${host}`,
    host,
    `user@${host}`,
    `home.${host}`,
    `home@${host}`,
    `home#@${host}`,
  ]
  return [...PATHS, ...METADATA, ...urls, ...NAMES, 'a'.repeat(5_000)]
}

const PATHS = [
  '',
  '.',
  '..',
  '../..',
  '..\\..',
  '../../association.db',
  '/etc/passwd',
  '//etc/passwd',
  'file:///etc/passwd',
]
  .concat(['hero/../../..', 'hero/..', './hero', 'hero/', '/hero', 'hero\u0000', '\u0000', 'hero\u0000.jpg', 'hero%00'])
  .concat(['%2e%2e%2f', 'hero?prefix=', 'hero&prefix=', 'hero#', 'hero\r\nX: y'])
const METADATA = [
  'http://169.254.169.254',
  'http://169.254.169.254/latest/meta-data/',
  '169.254.169.254',
  'http://[::1]/',
]
const NAMES = [
  'attic',
  ARTICLES_FOLDER.folder,
  'HOME',
  'Home',
  'home ',
  ' home',
  'ｈｏｍｅ',
  'team',
  'hero,gallery',
  '*',
  '__proto__',
  'constructor',
].concat(['association-home'])

/** For the disk: paths as sent over the wire. */
const WAYS_UP = [
  '..%2f',
  '..%2F',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%5c',
  '..%c0%af',
  '%252e%252e%252f',
  '....//',
  '..;/',
  '..%00/',
]
const FILES = WAYS_UP.flatMap((up) => [1, 2, 3, 4].map((depth) => `/media/home/gallery/${up.repeat(depth)}canary.jpg`))
  .concat(['/media/canary.jpg', '/media//canary.jpg', '/media/attic/hero/canary.jpg', '/media/../canary.jpg'])
  .concat(['/media/home/../../canary.jpg', '/media/home/gallery/canary.txt', '/media/home/gallery/.canary.jpg'])
  .concat(['/media/home/gallery/canary.jpg%00.png', '/media/%2fetc%2fpasswd', '/media//etc/passwd'])
  .concat(['/media/home/gallery/%00', '/media/home/gallery/'])

export const row: TrustRow = {
  id: 'T34',
  promise: 'SSRF and path tricks',
  gate: false,
  target: 'only 3 known buckets and 4 folders; a canary server sees 0 hits',
  async run({ world: start }) {
    const faults = new Faults()
    const canary = await listen('')
    const storage = await listen(EMPTY_LIST)
    const onDisk = await start()
    const inStorage = await start({
      environment: {
        S3_ENDPOINT: storage.url,
        S3_ACCESS_KEY_ID: 'id',
        S3_SECRET_ACCESS_KEY: 'key',
        ...Object.fromEntries(
          Object.entries(BUCKETS).map(([name, bucket]) => [`S3_BUCKET_${name.toUpperCase()}`, bucket]),
        ),
      },
    })
    try {
      hideSecrets(onDisk)
      const asked = await askForStrangers([onDisk, inStorage], canary.url, faults)
      const files = await askForFiles(onDisk, faults)
      const proxied = await askForProxies([onDisk, inStorage], canary.url, faults)
      const strange = storage.hits.filter((hit) => placeOf(hit) !== WATCHED)
      faults.expect(strange.length === 0, 'a stranger reached the object storage', strange[0])
      // The site itself sends occasional requests; an attack would cause hundreds.
      faults.expect(storage.hits.length <= 2, 'strangers have a folder listed', String(storage.hits.length))
      for (const place of PLACES) {
        const [bucket, folder] = place.split('/')
        const { body } = await request(inStorage.site.origin, { path: `/api/s3/${bucket}/folder/${folder}` })
        faults.expect(body?.success === true, 'a known folder is not listed', place)
      }
      const reached = new Set(storage.hits.map(placeOf))
      faults.expect(reached.size === PLACES.length, 'other places were asked for', [...reached].join(' '))
      faults.expect(canary.hits.length === 0, 'the canary was called', canary.hits[0])
      return {
        passed: faults.count === 0,
        reached: `${asked} strange buckets and folders answered with an empty list, ${files} paths to files with 404 or 400, ${proxied} requests to fetch something refused; the storage was asked for ${reached.size} places in ${new Set([...reached].map((place) => place.split('/')[0])).size} buckets; canary hits ${canary.hits.length}; faults: ${faults}`,
      }
    } finally {
      canary.server.close()
      storage.server.close()
    }
  },
}

const EMPTY_LIST =
  '<?xml version="1.0"?><ListBucketResult><KeyCount>0</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated></ListBucketResult>'

/** A server that records its requests. */
async function listen(body: string): Promise<{ server: Server; url: string; hits: string[] }> {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body)
  })
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  return { server, hits, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** 'association-home/hero' of `/association-home?list-type=2&prefix=hero%2F`. */
function placeOf(hit: string): string {
  const { pathname, searchParams } = new URL(hit, 'http://storage')
  return `${pathname.split('/')[1]}/${searchParams.get('prefix')?.replace(/\/$/, '')}`
}

function hideSecrets({ directory }: World): void {
  const media = join(directory, 'media')
  for (const folder of [join(media, 'home', 'gallery'), join(media, 'attic', 'hero')])
    mkdirSync(folder, { recursive: true })
  const places = [directory, media, join(media, 'home'), join(media, 'attic', 'hero')]
  for (const place of places) writeFileSync(join(place, 'canary.jpg'), SECRET)
  for (const name of ['canary.txt', '.canary.jpg']) writeFileSync(join(media, 'home', 'gallery', name), SECRET)
}

async function askForStrangers(worlds: readonly World[], canary: string, faults: Faults): Promise<number> {
  const odd = strangers(canary).map(encodeURIComponent)
  const paths = odd.flatMap((stranger) => [
    `/api/s3/${stranger}/folder/hero`,
    `/api/s3/home/folder/${stranger}`,
    `/api/s3/${stranger}/folder/${stranger}`,
  ])
  // Known names in invalid combinations, or in another form.
  const wrong = paths.filter((path) => !/^\/api\/s3\/home\/folder\/gallery$/.test(path))
  const calls = worlds.flatMap((world) => wrong.map((path) => ({ world, path })))
  const listed = await inParallel(calls, 8, async ({ world, path }) => {
    const { status, body, text } = await request(world.site.origin, { path })
    faults.expect(!text.includes(SECRET) && !text.includes('root:'), 'a secret was exposed', path)
    const isEmpty = status === 200 && body?.success === false && body.data?.images?.length === 0
    // An empty or dotted segment changes the path.
    const isNowhere = [400, 404].includes(status) && typeof body?.code === 'string'
    faults.expect(isEmpty || isNowhere, `${status} for a stranger`, `${path} ${text}`)
    return isEmpty
  })
  return listed.filter(Boolean).length
}

async function askForFiles(world: World, faults: Faults): Promise<number> {
  await inParallel(FILES, 4, async (path) => {
    const { text } = await sendBytes(world.site.origin, [
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    ])
    const [status = 0] = statusesIn(text)
    faults.expect(!text.includes(SECRET) && !text.includes('root:'), 'a file outside was sent', path)
    faults.expect([400, 404].includes(status), `${status} for a path`, path)
  })
  return FILES.length
}

/** URLs and headers that can make other sites fetch on someone's behalf. */
async function askForProxies(worlds: readonly World[], canary: string, faults: Faults): Promise<number> {
  const encoded = encodeURIComponent(`${canary}/picture.jpg`)
  const paths = ['/_image?url=', '/image?url=', '/proxy?url=', '/media?url=', '/media/', '/media/home/gallery/']
    .map((path) => path + encoded)
    .concat([`/${canary}/picture.jpg`, `/api/s3?endpoint=${encoded}`])
    .concat([`/api/s3/home/folder/hero?endpoint=${encoded}&url=${encoded}&bucket=${encoded}`])
  // The last one is a valid folder; the other world's storage would be queried for it, which is counted afterward.
  const calls = [
    ...worlds.flatMap((world) => paths.slice(0, -1).map((path) => ({ world, path }))),
    { world: worlds[0] as World, path: paths.at(-1) ?? '' },
  ]
  await inParallel(calls, 4, async ({ world, path }) => {
    const headers = { 'x-forwarded-host': new URL(canary).host, 'x-forwarded-server': canary, referer: canary }
    const { status } = await request(world.site.origin, { path, headers })
    faults.expect(status < 500, `${status} for a proxy`, path)
  })
  return calls.length
}
