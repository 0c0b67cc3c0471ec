import { createApp, type App } from '../app.ts'
import { readOrMakeSessionSecret } from '../config/session-secret.ts'
import type { Tools } from './tools.ts'

/** The application without pages and without looking for work by itself, for a command that needs its features. */
export async function withApp<T>({ config, database, clock }: Tools, work: (app: App) => Promise<T>): Promise<T> {
  const app = await createApp({
    config: { ...config, logLevel: 'warn' },
    sessionSecret: config.sessionSecret ?? readOrMakeSessionSecret(config.dataDirectory),
    database,
    clock,
    makePages: null,
    polling: false,
  })
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}
