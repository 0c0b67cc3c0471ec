import { createApp, type App } from '../app.ts'
import { readOrCreateSessionSecret } from '../config/session-secret.ts'
import type { Tools } from './tools.ts'

/** Runs `work` with an application without pages or background work, for a command that needs its features. */
export async function withApp<T>({ config, database, clock }: Tools, work: (app: App) => Promise<T>): Promise<T> {
  const app = await createApp({
    config: { ...config, logLevel: 'warn' },
    sessionSecret: config.sessionSecret ?? readOrCreateSessionSecret(config.dataDirectory),
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
