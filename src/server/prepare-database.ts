import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open-database.ts'
import { seedEmptyDatabase } from './features/association/seed.ts'
import { findLevel } from './features/membership/level.repository.ts'
import { makeSampleSubscription } from './payments/sample-subscription.ts'
import { createStripeGateway } from './payments/stripe-gateway.ts'

/** Opens the database, brings it up to date and fills an empty one: with words always, with invented people outside production. */
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

/** Opens the database and brings it up to date; an empty one stays empty. */
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

/** True when it was empty and is filled now. `samples` are invented people with sums they never paid: never where people are real. */
export function fillEmptyDatabase(
  config: Config,
  { db }: Database,
  { now, samples }: { now: number; samples: boolean },
): Promise<boolean> {
  const gateway = createStripeGateway(config.stripe)
  return seedEmptyDatabase(db, {
    now,
    timeZone: config.timeZone,
    samples: samples
      ? {
          async makeSubscription({ levelKey, ...person }) {
            const level = await findLevel(db, levelKey)
            return level && makeSampleSubscription(config.stripe, gateway, { ...person, level })
          },
        }
      : null,
  })
}
