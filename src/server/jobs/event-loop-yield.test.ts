import { expect, test } from 'vitest'
import { csvRows, readCsv, writeCsv, writeLongCsv } from './csv.ts'
import { collectInTurns, mapInTurns } from './pacing.ts'

const STEP_MS = 2
const STEPS = 60

/** Work that holds the process up. */
function step(): number {
  const until = performance.now() + STEP_MS
  while (performance.now() < until);
  return until
}

/** How often everything else had its turn meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
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

test('items that are worked out one by one leave turns to everything else, and come in order', async () => {
  const order = Array.from({ length: STEPS }, (_, index) => index)
  let collected: number[] = []
  expect(await turnsDuring(async () => (collected = await collectInTurns(steps())))).toBeGreaterThan(5)
  expect(collected).toEqual(order)
  let made: string[] = []
  const make = (item: number, index: number) => {
    step()
    return `${item} ${index}`
  }
  expect(await turnsDuring(async () => (made = await mapInTurns(order, make)))).toBeGreaterThan(5)
  expect(made[7]).toBe('7 7')
})

test('short work waits for nobody', async () => {
  expect(await turnsDuring(() => mapInTurns([1, 2, 3], (item) => item))).toBeLessThan(3)
})

test('a failure comes out as it is', async () => {
  const fail = () => {
    throw new Error('The row is wrong.')
  }
  await expect(mapInTurns([1], fail)).rejects.toThrow('The row is wrong.')
})

test('a long list is written as a short one is, and read again row by row', async () => {
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
