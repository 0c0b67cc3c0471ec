import { expect, test } from 'vitest'
import { csvRows, readCsv, writeCsv, writeLongCsv } from '#server/lib/csv/csv.ts'
import { collectYielding, mapYielding } from './event-loop-yield.ts'

const STEP_MS = 2
const STEPS = 60

/** Blocks the process for a moment. */
function step(): number {
  const until = performance.now() + STEP_MS
  while (performance.now() < until);
  return until
}

/** Counts event loop turns while `work` runs. */
async function countTurnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

function* steps(): Generator<number> {
  for (let count = 0; count < STEPS; count++) {
    step()
    yield count
  }
}

test('loops over many items yield to the event loop, and keep their order', async () => {
  const order = Array.from({ length: STEPS }, (_, index) => index)
  let collected: number[] = []
  expect(await countTurnsDuring(async () => (collected = await collectYielding(steps())))).toBeGreaterThan(5)
  expect(collected).toEqual(order)
  let made: string[] = []
  const make = (item: number, index: number) => {
    step()
    return `${item} ${index}`
  }
  expect(await countTurnsDuring(async () => (made = await mapYielding(order, make)))).toBeGreaterThan(5)
  expect(made[7]).toBe('7 7')
})

test('short work does not yield', async () => {
  expect(await countTurnsDuring(() => mapYielding([1, 2, 3], (item) => item))).toBeLessThan(3)
})

test('a failure is passed on unchanged', async () => {
  const fail = () => {
    throw new Error('The row is wrong.')
  }
  await expect(mapYielding([1], fail)).rejects.toThrow('The row is wrong.')
})

test('a long list is written like a short one, and read row by row', async () => {
  const rows = Array.from({ length: 1_001 }, (_, index) => [String(index), `=a"b\n${index}`, 'ü'])
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await writeLongCsv(rows))
  expect(text).toBe(writeCsv(rows))
  expect(readCsv(text)).toEqual(rows)
  expect([...csvRows('a,b\n\n,,\nc,d', ',')]).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 4, cells: ['c', 'd'] },
  ])
  expect((await writeLongCsv([])).length).toBe(0)
})
