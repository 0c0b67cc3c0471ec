import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config/config.ts'
import { readOrCreateSessionSecret } from '#server/config/session-secret.ts'
import { createAdvanceableClock, systemClock } from '#server/lib/clock.ts'
import { prepareDatabase } from '#server/prepare-database.ts'
import { createDevelopmentPages } from './development-pages.ts'

// The application as `src/server/start-site.ts` creates it, but with pages from the sources. `tools/dev.ts` runs it.

/** After the ports of the site, the stand-ins and their mail server. */
const HOT_RELOAD_PORT_OFFSET = 3
const SERVER_PATH = /^\/(?:api\/|healthz$|readyz$)/

const config = readConfig(process.env)
process.env['NODE_ENV'] = 'development'
const clock = config.standinsUrl ? createAdvanceableClock(config.dataDirectory) : systemClock
const database = await prepareDatabase(config, clock.now())
let closePages = async () => {}
const app = await createApp({
  config,
  sessionSecret: config.sessionSecret ?? readOrCreateSessionSecret(config.dataDirectory),
  database,
  clock,
  polling: true,
  async makePages({ services }) {
    const { close, ...pages } = await createDevelopmentPages({
      services,
      isForServer: (path) => SERVER_PATH.test(path),
      hotReloadPort: config.port + HOT_RELOAD_PORT_OFFSET,
    })
    closePages = close
    return pages
  },
})
await app.http.listen({ port: config.port, host: config.host })
console.log(`\n  ${config.siteUrl}\n`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())

async function stop(): Promise<never> {
  await closePages()
  app.http.server.closeAllConnections()
  await app.close()
  await database.close()
  clock.close()
  process.exit(0)
}
