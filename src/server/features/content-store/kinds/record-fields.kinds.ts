import * as z from 'zod/mini'
import {
  AUDIENCE_NAMES,
  RECORD_ASKED,
  RECORD_KINDS,
  WIDEST_AUDIENCES,
  type RecordKind,
  type StoredRecordField,
} from '#contract/member-record/record-fields.ts'
import { Problem } from '#server/lib/problem.ts'
import { field } from '../content-kind.rules.ts'
import { defineList, retireRemoved, uniqueList } from '../list-kind.rules.ts'
import { optionalList, optionalSwitch } from './fields.schema.ts'

const KIND_LABELS: Record<RecordKind, string> = {
  line: 'One line of text',
  choice: 'One of several options',
  choices: 'Some of several options',
  phone: 'Phone number',
  address: 'Postal address',
  day: 'Date',
  number: 'Whole number',
}

const ASKED_LABELS: Record<(typeof RECORD_ASKED)[number], string> = {
  joining: 'The member, also while joining',
  account: 'The member, in the account',
  officers: 'Officers only',
}

const recordField = z
  .object({
    key: z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, 'use lowercase letters, digits and hyphens')),
    label: z.string(),
    hint: z.optional(z.string()),
    kind: z.enum(RECORD_KINDS),
    choices: optionalList(z.string()),
    levels: optionalList(z.string()),
    asked: z.enum(RECORD_ASKED),
    widest: z.enum(WIDEST_AUDIENCES),
    isRequired: optionalSwitch,
    isRetired: optionalSwitch,
  })
  .check(
    z.refine(({ kind, choices }) => (kind !== 'choice' && kind !== 'choices') || choices !== undefined, {
      path: ['choices'],
      error: 'Please enter the options, one per line',
    }),
  )
type FieldValue = z.infer<typeof recordField>

const MOST_FIELDS = 60

/** Imports and exports name a field by its label. */
const fields = uniqueList(recordField, 'key', 'Two fields have the same key').check(
  z.maxLength(MOST_FIELDS, `Please keep to ${MOST_FIELDS} fields`),
  z.refine((list) => {
    const labels = list.filter(({ isRetired }) => !isRetired).map(({ label }) => label.trim().toLowerCase())
    return new Set(labels).size === labels.length
  }, 'Two fields have the same name'),
)

/** What the association asks its members besides name and address. The values are in `record_value`. */
export const recordFieldKind = defineList({
  kind: 'record-fields',
  list: 'fields',
  items: fields,
  file: { name: 'record-fields.yaml', isSample: true },
  label: 'Member fields',
  lead: 'What members and officers enter besides name and email. A field that you remove is retired: no one is asked or shown it any more, and its values are kept.',
  section: 'People',
  listLabel: 'Fields',
  ids: { name: 'key', from: 'label' },
  fields: [
    field('line', 'label', 'Name', { hint: 'You can change it at any time.' }),
    field('line', 'hint', 'Hint', { isRequired: false }),
    field('choice', 'kind', 'Kind', {
      hint: 'It stays as it is once the field is published.',
      options: RECORD_KINDS.map((value) => ({ value, label: KIND_LABELS[value] })),
    }),
    field('lines', 'choices', 'Options', { isRequired: false, hint: 'One per line.' }),
    field('choice', 'asked', 'Entered by', {
      options: RECORD_ASKED.map((value) => ({ value, label: ASKED_LABELS[value] })),
    }),
    field('ticks', 'levels', 'Only members of', { isRequired: false, hint: 'Without a check mark: all members.' }),
    field('choice', 'widest', 'May be shown to', {
      hint: 'At most. Each member decides, and a new value is for officers only.',
      options: WIDEST_AUDIENCES.map((value) => ({ value, label: AUDIENCE_NAMES[value] })),
    }),
    field('switch', 'isRequired', 'Required'),
    field('switch', 'isRetired', 'Retired', {
      hint: 'No one is asked or shown it any more; its values are kept. A field that you remove is retired too.',
    }),
  ],
  optionsFrom: { levels: 'membership-levels' },
  guards: [
    {
      field: 'fields',
      permission: 'members.change',
      message: 'Only an officer with permission to change members can change what members are asked',
      select: (value) => listOf(value).map(toRecordField),
    },
  ],
  /**
   * Fields that were removed stay as retired ones, since values refer to them.
   * @throws Problem INVALID_INPUT if a field has another kind than before: its values would no longer fit
   */
  onPublish(value, before) {
    const known = listOf(before)
    const wanted = listOf(value)
    for (const [index, { key, kind }] of wanted.entries()) {
      const former = known.find((one) => one.key === key)
      if (former && former.kind !== kind) {
        const message = `This field is published as “${KIND_LABELS[former.kind]}”. Retire it and add another one`
        throw new Problem('INVALID_INPUT', { fields: { [`fields.${index}.kind`]: message } })
      }
    }
    return { ...value, fields: retireRemoved(wanted, known) }
  },
})

function listOf(value: { fields?: unknown } | null): FieldValue[] {
  return (value?.fields ?? []) as FieldValue[]
}

export function toRecordField({
  hint,
  choices,
  levels,
  isRequired,
  isRetired,
  ...rest
}: FieldValue): StoredRecordField {
  return {
    ...rest,
    hint: hint ?? null,
    choices: choices ?? [],
    levels: levels ?? [],
    isRequired: isRequired === true,
    isRetired: isRetired === true,
  }
}
