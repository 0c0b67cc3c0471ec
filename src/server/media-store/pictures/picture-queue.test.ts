import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPictureQueue, writeSource, type PictureQueue } from './picture-queue.ts'
import { PICTURE_NEEDS_TOO_MUCH_MEMORY } from './picture-rejected-error.ts'

let folder = ''
let given: object[] = []
let workshop: PictureQueue

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-workshop-'))
  given = []
  const log = { debug() {}, info() {}, warn: (record: object) => void given.push(record), error() {} }
  workshop = createPictureQueue({ directory: join(folder, 'uploads'), log })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const picture = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#a33' } })

function prepare(bytes: Buffer, ticket?: string): Promise<string[]> {
  return workshop.withSlot(ticket === undefined ? {} : { ticket }, async (turn) => {
    await writeSource(turn, bytes)
    return turn.prepare({ kind: 'prepare', filename: 'a.jpg' }, async ({ files }) => files.map(({ name }) => name))
  })
}

test('processes pictures one at a time, reports queue positions, and leaves no files behind', async () => {
  const bytes = await picture(600, 400).jpeg().toBuffer()
  let atOnce = 0
  let most = 0
  const positions: (number | null)[] = []
  await Promise.all(
    ['a', 'b', 'c'].map((ticket) =>
      workshop.withSlot({ ticket }, async (turn) => {
        await writeSource(turn, bytes)
        const done = turn.prepare({ kind: 'prepare', filename: 'a.jpg' }, async () => {
          most = Math.max(most, ++atOnce)
          await new Promise((resolve) => setTimeout(resolve, 5))
          atOnce--
        })
        positions.push(workshop.position(ticket))
        await done
      }),
    ),
  )
  expect([most, positions, workshop.position('a'), workshop.position('unknown')]).toEqual([1, [0, 1, 2], null, null])
  expect(readdirSync(folder)).toEqual([])
})

test('small work goes before queued uploads', async () => {
  const bytes = await picture(300, 200).jpeg().toBuffer()
  const order: string[] = []
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const first = workshop.withSlot({}, async (turn) => {
    await writeSource(turn, bytes)
    await turn.prepare({ kind: 'prepare', filename: 'a.jpg' }, async () => {
      started.resolve()
      await release.promise
    })
  })
  await started.promise
  const second = prepare(bytes, 'second').then(() => order.push('second'))
  await expect.poll(() => workshop.position('second')).toBe(1)
  const small = workshop.withSlot({ small: true, ticket: 'small' }, async (turn) => {
    await writeSource(turn, bytes)
    const { width, preview } = await turn.preview()
    expect([width, preview.slice(0, 22)]).toEqual([300, 'data:image/webp;base64'])
    order.push('small')
  })
  await expect.poll(() => workshop.position('small')).toBe(2)
  release.resolve()
  await Promise.all([first, second, small])
  expect(order).toEqual(['small', 'second'])
})

test('a picture that exceeds the memory limit affects neither the site nor the next picture', async () => {
  const bomb = await sharp({ create: { width: 7_000, height: 7_000, channels: 4, background: '#1234' } })
    .toColourspace('rgb16')
    .png({ progressive: true })
    .toBuffer()
  // As a stored picture, whose header is not checked.
  const refused = workshop.withSlot({}, async (turn) => {
    await writeSource(turn, bomb)
    return turn.prepare({ kind: 'sizes', filename: 'a.png' }, async () => 'kept')
  })
  const next = prepare(await picture(300, 200).jpeg().toBuffer())
  await expect(refused).rejects.toThrow(PICTURE_NEEDS_TOO_MUCH_MEMORY)
  expect(given).toMatchObject([{ task: 'sizes', isTooSlow: false }])
  expect(await next).toContain('a.jpg')
}, 30_000)

test('rejects uploads over the queue limit before reading them; accepts the next when there is room', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = Array.from({ length: 16 }, () => workshop.withSlot({}, () => promise))
  await expect(prepare(Buffer.alloc(1))).rejects.toMatchObject({ code: 'PICTURES_BUSY' })
  resolve()
  await Promise.all(waiting)
  expect(await prepare(await picture(300, 200).jpeg().toBuffer())).toContain('a.jpg')
})

test('shutdown rejects queued work and kills the worker', async () => {
  const bytes = await picture(2_000, 1_500).jpeg().toBuffer()
  const both = [prepare(bytes, 'a'), prepare(bytes, 'b')].map((one) =>
    one.catch((error: { code?: string }) => error.code),
  )
  // Either may have been read first.
  const positions = () => ['a', 'b'].map((ticket) => workshop.position(ticket))
  await expect.poll(positions, { interval: 2, timeout: 10_000 }).toContain(1)
  workshop.close()
  expect(await Promise.all(both)).toEqual(['UNAVAILABLE', 'UNAVAILABLE'])
  await expect(prepare(bytes)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(existsSync(join(folder, 'uploads'))).toBe(false)
})
