import type { z } from 'zod/mini'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { emailTopicKind } from '#server/features/content-store/kinds/email-topics.kinds.ts'
import { storeRecord } from '../content/stored-records.ts'
import type { TestApp } from '../test-app.ts'

type TopicValue = z.output<typeof emailTopicKind.schema>['topics'][number]

/** Publishes the association's own topics of emails to members, as officers would. */
export async function publishTopics(app: TestApp, topics: readonly TopicValue[]): Promise<void> {
  const { db } = app.database
  await storeRecord(db, emailTopicKind, { topics })
  await db.transaction().execute(incrementContentVersion)
  await app.app.refreshContent()
}
