import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { firstNameField, lastNameField, lineField } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import { recordField, recordInput } from '#contract/member-record/record-schema.ts'
import { messages } from '#contract/messages.ts'
import { visibleValue } from '#contract/public/my-account/member-record.ts'

/** Planted entries: invented people in the directory for members, by which a copy of it is recognized (decision record 70). */

/** In a value of a planted entry, each reader sees a number of their own in its place. */
export const READERS_NUMBER = '{number}'

const plantedEntry = z.object({
  id: z.string(),
  name: z.string(),
  /** With `{number}` as the officer wrote it. */
  values: z.array(visibleValue),
  addedAt: z.string(),
  addedBy: z.string(),
  /** null: the directory shows it. */
  removedAt: z.nullable(z.string()),
})
export type PlantedEntry = z.infer<typeof plantedEntry>

const plantedEntries = z.object({
  /** Those that are shown first, then the newest. */
  entries: z.array(plantedEntry),
  /** What an entry may show: the fields that members of all levels may show each other. */
  fields: z.array(recordField),
})
export type PlantedEntries = z.infer<typeof plantedEntries>

const shared = { access: 'officer', permission: 'members.change', reply: plantedEntries } as const

export const listPlantedEntries = endpoint({
  ...shared,
  name: 'listPlantedEntries',
  method: 'GET',
  path: '/api/console/planted-entries',
  summary: 'List planted entries of the directory, also removed ones, and the fields that a new one may show',
  failures: [],
})

export const addPlantedEntry = endpoint({
  ...shared,
  name: 'addPlantedEntry',
  method: 'POST',
  path: '/api/console/planted-entries',
  requiresFreshFactor: true,
  summary: 'Show an invented person in the directory for members; it cannot be changed, only removed',
  body: z.object({
    firstName: firstNameField,
    lastName: lastNameField,
    /** By the key of their field. */
    values: recordInput,
  }),
  failures: ['PLANTED_ENTRIES_FULL'],
})

export const removePlantedEntry = endpoint({
  ...shared,
  name: 'removePlantedEntry',
  method: 'POST',
  path: '/api/console/planted-entries/:id/remove',
  requiresFreshFactor: true,
  summary: 'No longer show a planted entry; copies with it are still recognized',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  failures: ['NOT_FOUND'],
})

const messagesOfCopy = {
  missing: 'Please paste the copy',
  long: `At most ${limits.directory.copyMax.toLocaleString('en-US')} characters at a time, please`,
}

const copyTrace = z.object({
  /** Planted entries whose name or values are in the copy. */
  entries: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** Labels of the values that were found. */
      found: z.array(z.string()),
      hasName: z.boolean(),
      /** Those whose number is in it; several may have the same. null: no number is in it. */
      readers: z.nullable(
        z.array(
          z.object({
            accountId: z.string(),
            name: z.string(),
            /** An officer who viewed the site as this member. */
            isView: z.boolean(),
          }),
        ),
      ),
    }),
  ),
  /** Days of the public page whose mark is in the copy, newest first. */
  publicDays: z.array(z.string()),
})
export type CopyTrace = z.infer<typeof copyTrace>

export const traceCopy = endpoint({
  name: 'traceCopy',
  method: 'POST',
  path: '/api/console/planted-entries/trace',
  access: 'officer',
  permission: 'members.change',
  requiresFreshFactor: true,
  summary: 'Whether a text was copied from the directory, and who saw it with the number in it',
  body: z.object({
    text: z
      .string(messagesOfCopy.missing)
      .check(z.minLength(1, messagesOfCopy.missing), z.maxLength(limits.directory.copyMax, messagesOfCopy.long)),
  }),
  reply: copyTrace,
  failures: [],
})
