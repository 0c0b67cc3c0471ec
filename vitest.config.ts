import { resolve } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { TestOrder } from './tools/test-order.ts'

// A file's name tells its project:
//   *.test.tsx                         web       components in jsdom
//   src/server/{features,db}/*.test.ts           the application on each database: sqlite, pglite, postgres
//   *.{http,repository,service}.test.ts          the same, elsewhere on the server
//   *.rules.test.ts, *.emails.test.ts  unit      pure, also in src/server/features
//   standins/**, tests/e2e/**          standins, journeys
//   every other *.test.ts              unit
const PURE = ['**/*.{rules,emails}.test.ts']
const ON_A_DATABASE = ['src/server/{features,db}/**/*.test.ts', 'src/server/**/*.{http,repository,service}.test.ts']

const QUERIES = ['src/server/**/*.repository.test.ts']

/** Every engine runs the same tests; a real PostgreSQL only where there is one. */
const ENGINES = ['sqlite', 'pglite', ...(process.env['TEST_DATABASE_URL'] ? ['postgres'] : [])]

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: TestOrder },
    testTimeout: 20_000,
    // On a machine with much else to do a test may run out of time: `npm test` names those that passed only when tried again.
    retry: 1,
    hookTimeout: 60_000,
    projects: [
      project('unit', {
        include: ['{src,tests,tools}/**/*.test.ts'],
        exclude: [...ON_A_DATABASE.map(notPure), 'tests/e2e/**'],
      }),
      project('web', { include: ['src/web/**/*.test.tsx'], environment: 'jsdom' }),
      project('standins', { include: ['standins/**/*.test.ts'] }),
      ...ENGINES.map((engine) => ({
        resolve: { alias: { '@node-rs/argon2': resolve('tests/support/quick-argon2.ts') } },
        ...project(engine, {
          // Beside a real server the dialect without one proves the queries, and the server proves the calls.
          include: engine === 'pglite' && ENGINES.includes('postgres') ? QUERIES : ON_A_DATABASE,
          exclude: PURE,
          env: { TEST_ENGINE: engine },
          ...(engine === 'sqlite' ? {} : { globalSetup: 'tools/postgres-schemas.setup.ts' }),
          // Reading the application's modules anew for each file costs more than the tests; starting PGlite takes seconds.
          // So the files of a worker share both; each test has an empty database of its own.
          isolate: false,
        }),
      })),
      project('journeys', {
        include: ['tests/e2e/**/*.test.ts'],
        globalSetup: 'tools/site/journey-site.setup.ts',
        testTimeout: 60_000,
        hookTimeout: 120_000,
        // One site and two cores: browsers beside each other only make each other slow.
        fileParallelism: false,
      }),
    ],
  },
})

function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return { extends: true, test: { ...test, name, exclude: ['**/node_modules/**', ...(test?.exclude ?? [])] } }
}

/** The same files but for the pure ones among them. */
function notPure(pattern: string): string {
  return pattern.replace(/\*\.test\.ts$/, '!(*.rules|*.emails).test.ts')
}
