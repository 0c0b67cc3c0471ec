import { openDatabase } from '#server/db/open-database.ts'
import { raiseContentVersion } from '#server/features/association/content.repository.ts'
import { saveCampaign } from '#server/features/newsletter/campaign.repository.ts'
import { wordsOfMarkdown } from '#server/features/newsletter/campaign-words.ts'
import { insertSubscribers } from '#server/features/newsletter/subscriber.repository.ts'
import { newId } from '#server/platform/ids.ts'
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
        const sentAt = now - number * 3_600_000
        await saveCampaign(tx, {
          id: `campaign-${number}`,
          name: `Campaign ${number}`,
          subject: `News of hour ${number}`,
          layout: 'paper',
          html: `<p>${text}</p>`,
          text,
          picture: '/art/clinic.svg',
          snippet: text.slice(0, 120),
          canEmbed: true,
          hasView: true,
          createdAt: sentAt,
          updatedAt: sentAt,
          sentAt,
        })
      }
    })
  }
  await raiseContentVersion(db)
  await close()
}

const BODY = `## Clinic days\n\n${'The clinic opens on the first and third Saturday of each month. '.repeat(12)}\n\n- one\n- two\n\nSee [the days](/clinic).`

/** Subscribers, and a campaign nobody was sent yet. */
export async function prepareMailing(
  databaseUrl: string,
  { readers, id }: { readers: number; id: string },
): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, quiet)
  const now = Date.now()
  await db.deleteFrom('subscriber').execute()
  await insertSubscribers(
    db,
    Array.from({ length: readers }, (_, number) => ({
      id: newId(now),
      email: `reader${number}@bench.example`,
      state: 'subscribed' as const,
      source: 'bench',
      askedAt: now,
      confirmedAt: now,
      leftAt: null,
    })),
  )
  await saveCampaign(db, {
    id,
    name: 'Of this month',
    subject: 'News of this month',
    ...wordsOfMarkdown(BODY),
    picture: null,
    snippet: 'What is new.',
    canEmbed: true,
    hasView: true,
    createdAt: now,
    updatedAt: now,
    sentAt: null,
  })
  await close()
}
