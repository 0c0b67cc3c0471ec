import * as z from 'zod/mini'
import type { ContentValue } from '#contract/console/content.ts'
import { pictureField, webAddressField } from '#contract/fields.ts'
import { areUnique, defineSingle, field, withIds } from '../content-kind.rules.ts'
import { slug } from './fields.schema.ts'

/** The largest sponsorship, in cents. */
const MAX_AMOUNT = 10_000_000

const tier = z.object({
  key: slug,
  name: z.string(),
  amountLabel: z.string(),
  /** Cents; null if the sponsor chooses the amount. */
  unitAmount: z.nullable(z.int().check(z.gte(100), z.lte(MAX_AMOUNT))),
  remarksMinutes: z.nullable(z.int().check(z.gte(0), z.lte(240))),
  reservedTable: z.boolean(),
  benefits: z.array(z.string()),
})
/** A sponsorship tier. */
export type Tier = z.infer<typeof tier>

export const tierKind = defineSingle({
  kind: 'tiers',
  // The keys are unique, because the guard below compares prices by key.
  schema: z.object({ tiers: z.array(tier).check(z.refine(areUnique('key'), 'give each tier a key of its own')) }),
  file: { name: 'tiers.yaml', list: 'tiers' },
  label: 'Sponsorship tiers',
  lead: 'What sponsors can choose. Existing orders keep the benefits they were made with.',
  section: 'Support',
  fields: [
    field('group', 'tiers', 'Tiers', {
      fields: [
        field('line', 'name', 'Name'),
        field('line', 'amountLabel', 'Amount as shown'),
        field('dollars', 'unitAmount', 'Amount', {
          isRequired: false,
          hint: 'If empty, the sponsor enters the amount. Changing it requires the permission to change payments.',
        }),
        field('number', 'remarksMinutes', 'Minutes of remarks', { isRequired: false }),
        field('switch', 'reservedTable', 'Reserved table'),
        field('lines', 'benefits', 'Benefits', { isRequired: false, hint: 'One per line.' }),
      ],
    }),
  ],
  guards: [
    {
      field: 'tiers',
      permission: 'money.change',
      message: 'Only an officer with permission to change payments can change the price of a tier',
      select: ({ tiers }) => new Map((tiers as ContentValue[]).map(({ key, unitAmount }) => [key, unitAmount ?? null])),
    },
  ],
  addMissing({ tiers, ...value }) {
    const withKeys = (withIds(tiers, 'key', 'name') ?? []) as object[]
    const empty = { unitAmount: null, remarksMinutes: null, reservedTable: false, benefits: [] }
    return { ...value, tiers: withKeys.map((one) => ({ ...empty, ...one })) }
  },
  pathOf: () => '/sponsor-us',
})

const sponsors = z
  .array(
    z.object({
      id: slug,
      name: z.string(),
      logo: pictureField,
      website: z._default(z.nullable(webAddressField), null),
    }),
  )
  .check(z.refine(areUnique('id'), 'give each sponsor an id of its own'))

export const sponsorKind = defineSingle({
  kind: 'sponsors',
  schema: z.object({ sponsors }),
  file: { name: 'sponsors.yaml', isSample: true, list: 'sponsors' },
  label: 'Sponsor wall',
  lead: 'The logos shown on the site, in order.',
  section: 'Support',
  fields: [
    field('group', 'sponsors', 'Sponsors', {
      fields: [
        field('line', 'name', 'Name'),
        field('picture', 'logo', 'Logo'),
        field('line', 'website', 'Website', { isRequired: false, hint: 'Starts with https://' }),
      ],
    }),
  ],
  addMissing: (value) => ({ ...value, sponsors: withIds(value['sponsors'], 'id', 'name') }),
  pathOf: () => '/sponsor-us',
})
