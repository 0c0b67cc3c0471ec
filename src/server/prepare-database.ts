import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open-database.ts'
import { startClosed } from './features/setup/setup.commands.ts'
import { seedEmptyDatabase } from './features/seed/seed.service.ts'
import { findLevel } from './features/levels/level.queries.ts'
import { createSampleSubscription } from './stripe/sample-subscription.ts'
import { createStripeGateway } from './stripe/stripe-gateway.ts'

/** Opens the database, migrates it and seeds an empty one: always with content, outside production also with fictional people. */
export async function prepareDatabase(config: Config, now: number): Promise<Database> {
  const database = await openMigratedDatabase(config, now)
  try {
    await fillEmptyDatabase(config, database, { now, samples: !config.production })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Opens the database and migrates it; an empty one stays empty. */
export async function openMigratedDatabase(config: Config, now: number): Promise<Database> {
  const database = openDatabase(config.databaseUrl, console)
  try {
    await migrate(database, now)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Seeds the database if it is empty and returns whether it was. `samples` are fictional people with payments that were never made: never use them in
 * production.
 */
export async function fillEmptyDatabase(
  config: Config,
  { db }: Database,
  { now, samples }: { now: number; samples: boolean },
): Promise<boolean> {
  const gateway = createStripeGateway(config.stripe)
  return seedEmptyDatabase(db, {
    profile: config.profile,
    officersEmail: config.officersEmail,
    now,
    timeZone: config.timeZone,
    samples: samples
      ? {
          more: config.samples === 'many',
          async makeSubscription({ levelKey, ...person }) {
            const level = await findLevel(db, levelKey)
            return level && createSampleSubscription(config.stripe, gateway, { ...person, level })
          },
        }
      : null,
    // With the content: otherwise a process that ends in between, or another instance, would find a site that is open.
    ...(config.startsClosed && { writeToo: (tx) => startClosed(tx, now) }),
  })
}
