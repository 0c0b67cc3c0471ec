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
  const database = openDatabase(config.databaseUrl, console)
  try {
    await migrate(database, now)
    const gateway = createStripeGateway(config.stripe)
    await seedEmptyDatabase(database.db, {
      now,
      timeZone: config.timeZone,
      samples: config.production
        ? null
        : {
            async makeSubscription({ levelKey, ...person }) {
              const level = await findLevel(database.db, levelKey)
              return level && makeSampleSubscription(config.stripe, gateway, { ...person, level })
            },
          },
    })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
