import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { openDatabase } from '../db/open-database.ts'
import { systemClock } from '#server/lib/clock.ts'
import { check } from './check.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

test('an unreachable server is not reported as damage', async () => {
  const output: string[] = []
  // No server listens on this port.
  const database = openDatabase('postgres://nobody@127.0.0.1:9/nothing', quiet)
  const tools = {
    config: { ...readConfig({}), timeZone: 'UTC' },
    database,
    clock: systemClock,
    say: (line: string) => void output.push(line),
  }
  await expect(check([], tools)).rejects.toThrow('ECONNREFUSED')
  expect(output).toEqual([])
  await database.close()
})
