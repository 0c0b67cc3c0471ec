import { fillEmptyDatabase } from '../prepare-database.ts'
import type { Tools } from './tools.ts'

/** `seed [--samples]`: what a start does to an empty database, here with the choice to leave the invented people out. */
export async function seed(parameters: readonly string[], { config, database, clock, say }: Tools): Promise<number> {
  const samples = parameters.includes('--samples')
  const unknown = parameters.find((parameter) => parameter !== '--samples')
  if (unknown !== undefined) {
    say(`There is no "${unknown}". Say "seed" or "seed --samples".`)
    return 2
  }
  if (samples && config.production) {
    say('The samples are invented people and payments: never with NODE_ENV=production. Say "seed".')
    return 1
  }
  const filled = await fillEmptyDatabase(config, database, { now: clock.now(), samples })
  if (!filled) say('The database has its content already; what is there stays. "content import" changes words.')
  else say(`Filled with pages, levels and settings${samples ? ', and with sample people' : ', without people'}.`)
  return 0
}
