import { globSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Only these endings assign a test of the server's features and database to a project of `vitest.config.ts`. */
const RUNS = /\.(?:rules|emails|http|repository|service)\.test\.ts$/

test('every server test has a name that a test project includes', () => {
  const files = globSync('src/server/{features,db}/**/*.test.ts')
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => !RUNS.test(file))).toEqual([])
})
