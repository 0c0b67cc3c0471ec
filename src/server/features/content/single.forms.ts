import type * as z from 'zod/mini'
import type { ContentValue } from '#contract/console-content.ts'
import type { Db } from '#server/db/database.ts'
import { contentForm, SINGLE } from './content-form.ts'

/** A kind of which there is one record, such as a list whose order counts. */
export function single<S extends z.core.$ZodType>({
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
  complete?(value: ContentValue): ContentValue
  pathOf?(): string
}) {
  return contentForm<S>({
    ...form,
    one: form.label.toLowerCase(),
    isSingle: true,
    async list(db) {
      const value = await read(db)
      return value === null ? [] : [{ id: SINGLE, value }]
    },
    publish: (db, _id, value, { newId }) => publish(db, value, newId),
    title: () => form.label,
    ...(pathOf && { pathOf }),
  })
}
