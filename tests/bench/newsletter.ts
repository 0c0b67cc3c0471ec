import { openDatabase } from '#server/db/open-database.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { saveCampaign } from '#server/features/newsletter/campaign.commands.ts'
import { createCampaign } from '#tests/support/newsletter.ts'
import type { Random } from '#tests/trust/random.ts'

const BATCH = 200
const WORDS = 400
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Sent newsletters, an hour apart, each with 120 random words out of 400. */
export async function addCampaigns(databaseUrl: string, count: number, random: Random): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, quiet)
  const now = Date.now()
  for (let first = 0; first < count; first += BATCH) {
    await db.transaction().execute(async (tx) => {
      for (let number = first; number < Math.min(count, first + BATCH); number++) {
        const text = Array.from({ length: 120 }, () => `word${random.between(0, WORDS)}`).join(' ')
        await saveCampaign(
          tx,
          createCampaign({
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
  await incrementContentVersion(db)
  await close()
}
