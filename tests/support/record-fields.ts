import type { z } from 'zod/mini'
import { recordFieldKind } from '#server/features/content-store/kinds/record-fields.kinds.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { storeRecord } from './content/stored-records.ts'
import type { TestApp } from './test-app.ts'

type FieldValue = z.output<typeof recordFieldKind.schema>['fields'][number]

/** A line that members enter in the account and show to members at most. */
export function lineField(key: string, given: Partial<FieldValue> = {}): FieldValue {
  const label = key.charAt(0).toUpperCase() + key.slice(1)
  return { key, label, kind: 'line', asked: 'account', widest: 'members', ...given }
}

/** Publishes the fields of the member record, as officers would. */
export async function publishFields(app: TestApp, fields: readonly FieldValue[]): Promise<void> {
  const { db } = app.database
  await storeRecord(db, recordFieldKind, { fields })
  await db.transaction().execute(incrementContentVersion)
  await app.app.refreshContent()
}
