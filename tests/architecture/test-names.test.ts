import { globSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Only these endings bring a test of the server's features and database into one of the projects of `vitest.config.ts`. */
const RUNS = /\.(?:rules|emails|http|repository|service)\.test\.ts$/

test('every test of the server has a name under which it runs', () => {
  const files = globSync('src/server/{features,db}/**/*.test.ts')
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => !RUNS.test(file))).toEqual([])
})
