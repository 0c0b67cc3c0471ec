import { fillEmptyDatabase } from '../prepare-database.ts'
import type { Tools } from './tools.ts'

/** `seed [--samples]`: seeds an empty database like a start does, with the choice to omit the fictional people. */
export async function seed(args: readonly string[], { config, database, clock, say }: Tools): Promise<number> {
  const samples = args.includes('--samples')
  const unknown = args.find((arg) => arg !== '--samples')
  if (unknown !== undefined) {
    say(`Unknown option "${unknown}". Usage: seed [--samples]`)
    return 2
  }
  if (samples && config.production) {
    say(
      'The samples are fictional people and payments, which are not allowed with NODE_ENV=production. Run "seed" without --samples.',
    )
    return 1
  }
  const filled = await fillEmptyDatabase(config, database, { now: clock.now(), samples })
  if (!filled) say('The database already has content, which was left unchanged. Use "content import" to change it.')
  else say(`Seeded with pages, levels and settings${samples ? ', and with sample people' : ', without people'}.`)
  return 0
}
