import { openDatabase } from '#server/db/open-database.ts'
import { raiseContentVersion } from '#server/features/association/content.repository.ts'
import { saveCampaign } from '#server/features/newsletter/campaign.repository.ts'
import { makeCampaign } from '#tests/support/newsletter.ts'
import type { Random } from '#tests/trust/random.ts'

const BATCH = 200
const WORDS = 400
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Newsletters that were sent, an hour apart, each of 120 words out of 400. */
export async function addCampaigns(databaseUrl: string, count: number, random: Random): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, quiet)
  const now = Date.now()
  for (let first = 0; first < count; first += BATCH) {
    await db.transaction().execute(async (tx) => {
      for (let number = first; number < Math.min(count, first + BATCH); number++) {
        const text = Array.from({ length: 120 }, () => `word${random.between(0, WORDS)}`).join(' ')
        await saveCampaign(
          tx,
          makeCampaign({
            id: `campaign-${number}`,
            name: `Campaign ${number}`,
            subject: `News of hour ${number}`,
            html: `<p>${text}</p>`,
            text,
            picture: '/art/clinic.svg',
            snippet: text.slice(0, 120),
            sentAt: now - number * 3_600_000,
          }),
        )
      }
    })
  }
  await raiseContentVersion(db)
  await close()
}
