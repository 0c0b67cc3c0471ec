import { storeRecord } from '#tests/support/content/stored-records.ts'
import { forumKind } from '#server/features/content-store/kinds/people.kinds.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStandins, type Standins } from '#standins/standins.ts'
import { readConfig, type Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { listDescriptions } from '#server/features/media/picture-description.queries.ts'
import { media } from './media.ts'
import type { Tools } from './tools.ts'

let folder = ''
let standins: Standins
let database: Database

beforeAll(async () => {
  database = openDatabase('sqlite::memory:', console)
  await migrate(database, 0)
  folder = mkdtempSync(join(tmpdir(), 'association-admin-media-'))
  standins = await startStandins({ directory: '', port: 0, smtpPort: 0, persist: false })
  const picture = sharp({ create: { width: 600, height: 400, channels: 3, background: '#f3b440' } })
  writeFileSync(join(folder, 'Lamp Lighting.png'), await picture.png().toBuffer())
  writeFileSync(join(folder, 'notes.txt'), 'words')
  writeFileSync(join(folder, 'bad.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
})
afterAll(async () => {
  await database.close()
  await standins.close()
  rmSync(folder, { recursive: true, force: true })
})

async function run(config: Config, ...args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const code = await media(args, { config, database, say: (line: string) => void lines.push(line) } as Tools)
  return { code, output: lines.join('\n') }
}

const onDisk = () => readConfig({ DATA_DIR: folder, PORT: '3000' })
const inStorage = () =>
  readConfig({
    DATA_DIR: folder,
    S3_ENDPOINT: `${standins.url}/s3`,
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'key',
    S3_BUCKET_HOME: 'h',
    S3_BUCKET_CLINIC: 'c',
    S3_BUCKET_EXEC: 'e',
  })

test.each([
  ['on the disk', onDisk, 'http://localhost:3000/media/home/gallery/lamp-lighting.png'],
  ['in object storage', inStorage, '/s3/h/gallery/lamp-lighting.png'],
])('a picture is added and listed %s', async (_, config, address) => {
  expect((await run(config(), 'list')).output).toContain('home gallery: no pictures')
  const added = await run(config(), 'add', 'home', 'gallery', join(folder, 'Lamp Lighting.png'))
  expect(added.code).toBe(0)
  expect(added.output).toContain(address)
  const { output } = await run(config(), 'list', 'home', 'gallery')
  expect(output).toMatch(/^home gallery: 1 picture\n {4}lamp-lighting\.png {2}\d+ kB, 4 sizes$/)
})

test.each([
  [['add', 'home', 'gallery', 'notes.txt'], 1, 'Please use a .jpg'],
  [['add', 'home', 'gallery', 'bad.svg'], 1, 'contains a script'],
  [['add', 'home', 'gallery', 'missing.jpg'], 1, 'cannot be read'],
  [['add', 'home', 'team', 'notes.txt'], 2, 'Folders: home hero, home gallery, home articles, clinic hero, exec team.'],
  [['add', 'home', 'gallery'], 2, 'Usage: media list'],
  [[], 2, 'Usage: media list'],
])('%j is refused with a message', async (args, code, sentence) => {
  const inFolder = args.map((word) => (word.includes('.') ? join(folder, word) : word))
  const result = await run(onDisk(), ...inFolder)
  expect(result.code).toBe(code)
  expect(result.output).toContain(sentence)
})

test('an unreachable storage is reported', async () => {
  await standins.control({ s3: 'refuse' })
  expect(await run(inStorage(), 'list')).toMatchObject({
    code: 1,
    output: expect.stringContaining('cannot be listed') as string,
  })
  expect((await run(inStorage(), 'add', 'home', 'hero', join(folder, 'Lamp Lighting.png'))).code).toBe(1)
  await standins.control({ reset: true })
})

test('descriptions are stored with the picture, and a portrait with the name of a listed person', async () => {
  const aditi = { id: 'p', role: 'R', name: 'Aditi', school: 'S', year: 'Y', iconName: 'lamp', bio: [] }
  await storeRecord(database.db, forumKind, { team: [aditi] })
  const lamp = join(folder, 'Lamp Lighting.png')
  expect((await run(onDisk(), 'add', 'exec', 'team', lamp, '--person', 'Unknown')).output).toContain(
    'No one named Unknown',
  )
  const args = ['--shows', 'A smile', '--caption', 'Aditi', '--person', 'Aditi']
  expect((await run(onDisk(), 'add', 'exec', 'team', lamp, ...args)).code).toBe(0)
  const readDescription = async () => (await listDescriptions(database.db)).get('exec/team/lamp-lighting.png')
  expect(await readDescription()).toEqual({
    alt: 'A smile',
    caption: 'Aditi',
    person: { list: 'forum', name: 'Aditi' },
    name: null,
    position: null,
  })
  expect((await run(onDisk(), 'add', 'exec', 'team', lamp)).code).toBe(0)
  expect(await readDescription()).toEqual({ alt: '', caption: null, person: null, name: null, position: null })
  expect((await run(onDisk(), 'add', 'exec', 'team', lamp, '--whose', 'x')).code).toBe(2)
})
