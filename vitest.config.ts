import { resolve } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { TestOrder } from './tools/test-order.ts'

// A file's name tells its project:
//   *.test.tsx                         web       components in jsdom
//   src/server/{features,db}/*.test.ts           the application on a database: all of them on sqlite
//   *.{http,repository,service}.test.ts          the same, elsewhere on the server
//   of these, ON_BOTH_ENGINES                    also on PostgreSQL: postgres, or pglite where there is no server
//   *.rules.test.ts, *.emails.test.ts  unit      pure, also in src/server/features
//   standins/**, tests/e2e/**          standins, journeys
//   every other *.test.ts              unit
const PURE = ['**/*.{rules,emails}.test.ts']
const ON_A_DATABASE = ['src/server/{features,db}/**/*.test.ts', 'src/server/**/*.{http,repository,service}.test.ts']

/** Whether every test runs on every engine: `npm run test:all`. */
const ALL = process.env['TEST_ALL'] === '1'

/** What depends on the engine: queries, and calls that meet in one transaction. HTTP, contract and texts do not. */
const ON_BOTH_ENGINES = [
  'src/server/**/*.{repository,service}.test.ts',
  'src/server/features/audit/audit.http.test.ts',
  'src/server/features/auth/{registration/existing-accounts,sessions/sessions}.http.test.ts',
  'src/server/features/card/card.http.test.ts',
  'src/server/features/member-admin/{bulk/bulk,import/review/import-levels,merge/merge,notes/note,timeline/timeline}.http.test.ts',
  'src/server/features/member-email/{member-email,member-email-proof}.http.test.ts',
  'src/server/features/member-record/console-record.http.test.ts',
  'src/server/features/memberships/checkout/{one-checkout,order-completion,verify-session}.http.test.ts',
  'src/server/features/memberships/payments/{credit,refunds,void-payment}.http.test.ts',
  'src/server/features/newsletter/sending/mailing.http.test.ts',
  'src/server/features/orders/any-order.http.test.ts',
  'src/server/features/payment-sync/webhook.http.test.ts',
  'src/server/features/reports/reports.http.test.ts',
  'src/server/features/rsvps/{rsvp,orders/rsvp-paid,tickets/ticket-limit}.http.test.ts',
  'src/server/features/sponsors/orders/sponsor-completion.http.test.ts',
  'src/server/features/treasury/{payment/payment-actions,recording/record-payments,year/year}.http.test.ts',
]

const hasServer = Boolean(process.env['TEST_DATABASE_URL'])
const ENGINES = ['sqlite', ...(hasServer ? ['postgres'] : []), ...(hasServer && !ALL ? [] : ['pglite'])]

export default defineConfig({
  test: {
    setupFiles: 'tests/support/content/region.setup.ts',
    maxWorkers: 3,
    sequence: { sequencer: TestOrder },
    testTimeout: 20_000,
    // A busy machine may need more than Vitest's second; what comes at once is not waited for.
    expect: { poll: { timeout: 10_000 } },
    tags: [
      { name: 'core', description: 'A journey that every run of npm test makes; npm run test:all makes all of them.' },
    ],
    hookTimeout: 60_000,
    projects: [
      project('unit', {
        include: ['{src,tests,tools}/**/*.test.ts'],
        exclude: [...ON_A_DATABASE.map(notPure), 'tests/e2e/**'],
        // Reading the modules again for each file costs more than the tests.
        isolate: false,
      }),
      // A context a file in one process: starting a process a file takes as long as the tests.
      project('web', { include: ['src/web/**/*.test.tsx'], environment: 'jsdom', pool: 'vmThreads' }),
      project('standins', { include: ['standins/**/*.test.ts'] }),
      ...ENGINES.map((engine) => ({
        resolve: { alias: { '@node-rs/argon2': resolve('tests/support/quick-argon2.ts') } },
        ...project(engine, {
          include: engine === 'sqlite' || ALL ? ON_A_DATABASE : ON_BOTH_ENGINES,
          exclude: PURE,
          env: { TEST_ENGINE: engine },
          ...(engine === 'sqlite' ? {} : { globalSetup: 'tools/postgres-schemas.setup.ts' }),
          // Reading the application's modules again for each file costs more than the tests; starting PGlite takes seconds.
          // So the files of a worker share both; each test has an empty database of its own.
          isolate: false,
        }),
      })),
      project('journeys', {
        include: ['tests/e2e/**/*.test.ts'],
        globalSetup: 'tools/site/journey-site.setup.ts',
        testTimeout: 60_000,
        hookTimeout: 120_000,
        // One for each core, with a site of its own: more browsers only make each other slow.
        maxWorkers: 2,
        // Vitest asks for another order where the number of workers differs.
        sequence: { groupOrder: 1 },
        // One browser in each for all files: starting it again costs as much as a short journey.
        isolate: false,
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
