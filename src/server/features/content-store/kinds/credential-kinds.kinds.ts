import * as z from 'zod/mini'
import {
  CREDENTIAL_CHECKS,
  storeOf,
  type CredentialCheck,
  type CredentialKind,
} from '#contract/credentials/credential-kinds.ts'
import { Problem } from '#server/lib/problem.ts'
import { defineKind, field, slugify, textOf } from '../content-kind.rules.ts'
import { addIds, uniqueList } from '../list-kind.rules.ts'
import type { PublishedRecords } from '../record-set.rules.ts'
import { optionalList, optionalSwitch } from './fields.schema.ts'

const CHECK_LABELS: Record<CredentialCheck, string> = {
  npi: 'NPI, with its check digit (United States)',
  number: 'Number, which may have letters and digits',
  digits: 'Number of digits only',
  'us-state': 'State of the United States, two letters',
  issuer: 'Who issued it, or where',
  place: 'School, program or employer',
  end: 'Day on which the training ends',
  year: 'Year',
  text: 'One line of text',
}

const key = z.string().check(z.regex(/^[a-z0-9-]{1,100}$/i, 'use letters, digits and hyphens'))

const askedField = z.object({
  key,
  label: z.string(),
  shownAs: z.optional(z.string()),
  hint: z.optional(z.string()),
  check: z.enum(CREDENTIAL_CHECKS),
  length: z.optional(z.int().check(z.gte(1), z.lte(40))),
  registry: z.optional(
    z.string().check(z.regex(/^https:\/\/[^\s]+$/, 'Please enter an address that starts with https://')),
  ),
  isOptional: optionalSwitch,
})
type FieldValue = z.infer<typeof askedField>

const MOST_FIELDS = 12

const haveOwnLabels = (fields: FieldValue[]) =>
  new Set(fields.map(({ label }) => label.trim().toLowerCase())).size === fields.length

const haveOwnPlaces = (fields: FieldValue[]) => {
  const places = fields.flatMap(({ check }) => storeOf(check) ?? [])
  return new Set(places).size === places.length
}

const kindSchema = z.object({
  key,
  name: z.string(),
  statement: z.string(),
  order: z.optional(z.int().check(z.gte(1), z.lte(99))),
  levels: optionalList(z.string()),
  fields: uniqueList(askedField, 'key', 'Two questions have the same key').check(
    z.maxLength(MOST_FIELDS, `Please keep to ${MOST_FIELDS} questions`),
    z.refine(haveOwnLabels, 'Two questions have the same label'),
    z.refine(haveOwnPlaces, 'Please ask for one number, one issuer or state, one school and one last day at most'),
  ),
  verified: z.string(),
  proof: z.optional(z.string()),
  isRetired: optionalSwitch,
})
type KindValue = z.infer<typeof kindSchema>

/** The kinds of credentials that officers verify (decision record 60). Submitted ones refer to them by key, so that none is ever deleted. */
export const credentialKindsKind = defineKind({
  kind: 'credential-kinds',
  schema: kindSchema,
  file: { name: 'credential-kinds.yaml', idOf: (value) => textOf(value['key']) },
  sortKey: ({ order = 50, name }) => `${String(order).padStart(2, '0')} ${name}`,
  label: 'Kinds of credentials',
  singular: 'kind of credentials',
  lead: 'What members enter so that officers can verify it, such as a license. Without any kind in use, members are not asked for credentials.',
  section: 'People',
  fields: [
    field('line', 'name', 'Name', { hint: 'Such as Professional license.' }),
    field('line', 'statement', 'I am …', {
      hint: 'How a member chooses it when there are several kinds, such as A licensed engineer.',
    }),
    field('number', 'order', 'Place in the list', { isRequired: false, hint: 'From 1 to 99.' }),
    field('ticks', 'levels', 'Suggested to members of', { isRequired: false }),
    field('group', 'fields', 'What the member enters', {
      fields: [
        field('line', 'label', 'Label'),
        field('choice', 'check', 'Kind of answer', {
          options: CREDENTIAL_CHECKS.map((value) => ({ value, label: CHECK_LABELS[value] })),
          hint: 'Once published, it can only become one that is kept in the same way.',
        }),
        field('line', 'shownAs', 'Short label', { isRequired: false, hint: 'In lists, if it differs.' }),
        field('line', 'hint', 'Hint', { isRequired: false }),
        field('number', 'length', 'Characters', {
          isRequired: false,
          hint: 'How many a number has, if always the same.',
        }),
        field('line', 'registry', 'Public registry', {
          isRequired: false,
          hint: 'Its address for one person, with {value} in place of the answer, such as https://registry.example/{value}.',
        }),
        field('switch', 'isOptional', 'May be left empty'),
      ],
    }),
    field('line', 'verified', 'Our officers have verified …', {
      hint: 'Completes the sentence in emails, such as your license. {place} stands for the school, program or employer.',
    }),
    field('line', 'proof', 'Our officers also ask for …', {
      isRequired: false,
      hint: 'A document that members email, such as a letter from your school. Officers then record the kind of evidence.',
    }),
    field('switch', 'isRetired', 'Retired', {
      hint: 'No one is asked for it any more. What was submitted stays readable.',
    }),
  ],
  optionsFrom: { levels: 'membership-levels' },
  guards: [
    {
      field: 'fields',
      permission: 'credentials.decide',
      message: 'Only an officer who may decide about credentials can change their kinds',
      // A switch that is off is left out when it is stored.
      select: (value) => JSON.stringify(value),
    },
  ],
  idFor: ({ name }) => slugify(name),
  addMissing: (value, id) => ({
    key: id,
    ...value,
    fields: addIds((value['fields'] ?? []) as FieldValue[], { name: 'key', from: 'label' }),
  }),
  title: ({ name }) => textOf(name),
  detail: ({ fields, isRetired }) =>
    isRetired === true ? 'Retired' : ((fields ?? []) as FieldValue[]).map(({ label }) => label).join(', '),
  /** @throws Problem INVALID_INPUT if there is nothing to enter, or the answers to a question would be looked for where they are not kept */
  onPublish(value, before) {
    const known = (before?.['fields'] ?? []) as FieldValue[]
    const wanted = (value['fields'] ?? []) as FieldValue[]
    if (wanted.length === 0) throw new Problem('INVALID_INPUT', { fields: { fields: 'Please add what members enter' } })
    for (const [index, { key: one, check }] of wanted.entries()) {
      const former = known.find((field) => field.key === one)
      if (former && storeOf(former.check) !== storeOf(check)) {
        const message = `This is published as “${CHECK_LABELS[former.check]}”. Remove it and add another one`
        throw new Problem('INVALID_INPUT', { fields: { [`fields.${index}.check`]: message } })
      }
    }
    return value
  },
})

/** In the order of the form, retired ones too. */
export function credentialKindsOf(records: PublishedRecords): CredentialKind[] {
  return records.list(credentialKindsKind).map(({ value }) => toCredentialKind(value))
}

function toCredentialKind({
  key: kindKey,
  name,
  statement,
  levels,
  fields,
  verified,
  proof,
  isRetired,
}: KindValue): CredentialKind {
  return {
    key: kindKey,
    name,
    statement,
    levels: levels ?? [],
    verified,
    proof: proof ?? null,
    fields: fields.map(({ shownAs, hint, length, registry, isOptional, ...rest }) => ({
      ...rest,
      shownAs: shownAs ?? null,
      hint: hint ?? null,
      length: length ?? null,
      registry: registry ?? null,
      isOptional: isOptional === true,
    })),
    isRetired: isRetired === true,
  }
}
