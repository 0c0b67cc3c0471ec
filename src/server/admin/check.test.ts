import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { openDatabase } from '../db/open-database.ts'
import { systemClock } from '../platform/clock.ts'
import { check } from './check.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

test('a server that cannot be reached is no damage: nobody is told to restore a backup', async () => {
  const said: string[] = []
  // Nobody answers at this port.
  const database = openDatabase('postgres://nobody@127.0.0.1:9/nothing', quiet)
  const tools = { config: readConfig({}), database, clock: systemClock, say: (line: string) => void said.push(line) }
  await expect(check([], tools)).rejects.toThrow('ECONNREFUSED')
  expect(said).toEqual([])
  await database.close()
})
