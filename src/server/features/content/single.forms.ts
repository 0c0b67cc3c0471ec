import type * as z from 'zod/mini'
import type { ContentValue } from '#contract/console/content.ts'
import type { Db } from '#server/db/database.ts'
import { contentForm, SINGLE_RECORD_ID } from './form-builder.rules.ts'

/** A kind with a single record, such as a list with an order. */
export function singleRecordForm<S extends z.core.$ZodType>({
  read,
  publish,
  pathOf,
  ...form
}: Pick<
  Parameters<typeof contentForm<S>>[0],
  'kind' | 'label' | 'lead' | 'section' | 'schema' | 'fields' | 'guards'
> & {
  read(db: Db): Promise<z.core.output<S> | null>
  publish(db: Db, value: z.core.output<S>, newId: () => string): Promise<void>
  addMissing?(value: ContentValue): ContentValue
  pathOf?(): string
}) {
  return contentForm<S>({
    ...form,
    singular: form.label.toLowerCase(),
    isSingle: true,
    async list(db) {
      const value = await read(db)
      return value === null ? [] : [{ id: SINGLE_RECORD_ID, value }]
    },
    publish: (db, _id, value, { newId }) => publish(db, value, newId),
    title: () => form.label,
    ...(pathOf && { pathOf }),
  })
}
