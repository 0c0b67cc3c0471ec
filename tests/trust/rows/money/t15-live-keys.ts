import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from '#tests/trust/http.ts'
import { until } from '#tests/trust/load.ts'
import { freePort, Program } from '#tests/trust/faults/processes.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

const REFUSED_ORIGINS = [
  'http://localhost:3000',
  'http://association.example.org',
  'https://localhost',
  'https://127.0.0.1:8443',
  'https://[::1]',
  'http://192.168.1.20',
]

const PROVIDERS = {
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_trust_row',
  RECAPTCHA_SITE_KEY: 'site-key',
  RECAPTCHA_SECRET_KEY: 'secret-key',
  SMTP_URL: 'smtps://user:password@127.0.0.1:1',
  MAIL_FROM: 'Association <office@example.org>',
  OFFICERS_EMAIL: 'office@example.org',
}

export const row: TrustRow = {
  id: 'T15',
  promise: 'Live keys only on a real origin',
  gate: false,
  target:
    'with a live key on an http or local origin the site refuses to start with a clear message; a test key in production it starts with a banner in log and console',
  quick: false,
  async run() {
    const faults = new Faults()
    let refused = 0
    for (const kind of ['sk_live_', 'rk_live_']) {
      for (const origin of REFUSED_ORIGINS) {
        for (const production of [true, false]) {
          const { status, errors } = await boot({
            origin,
            production,
            key: `${kind}51abc`,
            publishable: 'pk_live_51abc',
          })
          const says = errors.split('\n').find((line) => line.includes('STRIPE_SECRET_KEY')) ?? ''
          const isClear = says.includes('live key') && says.includes(origin) && /use a test key|https/.test(says)
          if (status === 1 && isClear) refused++
          else
            faults.add(
              `${origin}${production ? '' : ' (not production)'} with ${kind} not refused`,
              `${status} ${errors}`,
            )
        }
      }
    }
    const live = await boot({
      origin: 'https://association.example.org',
      production: true,
      key: 'sk_live_51abc',
      publishable: 'pk_live_51abc',
    })
    faults.expect(live.isReady, 'live key on a real origin does not start', live.errors)
    faults.expect(!/test key/i.test(live.errors + live.output), 'banner with a live key')

    const test = await boot({
      origin: 'https://association.example.org',
      production: true,
      key: 'sk_test_51abc',
      publishable: 'pk_test_51abc',
    })
    faults.expect(test.isReady, 'test key in production does not start', test.errors)
    const onConsole = /^\*\*\* .*test key/im.test(test.errors)
    const inLog = test.output.split('\n').some((line) => line.startsWith('{') && /test key/i.test(line))
    faults.expect(onConsole, 'no banner on the console', test.errors)
    faults.expect(inLog, 'no banner in the log', test.output)
    const boots = REFUSED_ORIGINS.length * 4
    return {
      passed: faults.count === 0,
      reached: `${refused} of ${boots} live keys on an unreal origin refused with status 1 and a line naming the cure; test key in production: ${test.isReady ? 'started' : 'did not start'}, banner in log ${inLog ? 'yes' : 'no'}, on console ${onConsole ? 'yes' : 'no'}; faults: ${faults}`,
    }
  },
}

async function boot({
  origin,
  production,
  key,
  publishable,
}: {
  origin: string
  production: boolean
  key: string
  publishable: string
}) {
  const directory = mkdtempSync(join(tmpdir(), 'association-trust-'))
  const port = await freePort()
  const program = new Program('src/server/main.ts', {
    ...PROVIDERS,
    ...(production && { NODE_ENV: 'production', SETUP: 'off' }),
    PORT: String(port),
    SITE_URL: origin,
    DATA_DIR: directory,
    STRIPE_SECRET_KEY: key,
    STRIPE_PUBLISHABLE_KEY: publishable,
  })
  const url = `http://localhost:${port}`
  const isUp = async () => (await request(url, { path: '/readyz', withinMs: 1_000 }).catch(() => null))?.status === 200
  await until(async () => program.hasEnded || (await isUp()), { withinMs: 15_000, everyMs: 30 })
  const isReady = !program.hasEnded && (await isUp())
  await program.stop()
  rmSync(directory, { recursive: true, force: true })
  return { status: await program.ended, isReady, errors: program.errors, output: program.output }
}
