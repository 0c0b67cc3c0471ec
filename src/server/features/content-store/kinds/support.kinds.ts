import * as z from 'zod/mini'
import type { ContentValue } from '#contract/console/content.ts'
import { pictureField, webAddressField } from '#contract/fields.ts'
import { field } from '../content-kind.rules.ts'
import { defineList, uniqueList } from '../list-kind.rules.ts'
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

export const tierKind = defineList({
  kind: 'tiers',
  list: 'tiers',
  // The keys are unique, because the guard below compares prices by key.
  items: uniqueList(tier, 'key', 'give each tier a key of its own'),
  ids: { name: 'key', from: 'name' },
  emptyItem: { unitAmount: null, remarksMinutes: null, reservedTable: false, benefits: [] },
  file: { name: 'tiers.yaml' },
  label: 'Sponsorship tiers',
  lead: 'What sponsors can choose. Existing orders keep the benefits they were made with.',
  section: 'Support',
  listLabel: 'Tiers',
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
  guards: [
    {
      field: 'tiers',
      permission: 'money.change',
      message: 'Only an officer with permission to change payments can change the price of a tier',
      select: ({ tiers }) => new Map((tiers as ContentValue[]).map(({ key, unitAmount }) => [key, unitAmount ?? null])),
    },
  ],
  pathOf: () => '/sponsor-us',
})

const sponsor = z.object({
  id: slug,
  name: z.string(),
  logo: pictureField,
  website: z._default(z.nullable(webAddressField), null),
})

export const sponsorKind = defineList({
  kind: 'sponsors',
  list: 'sponsors',
  items: uniqueList(sponsor, 'id', 'give each sponsor an id of its own'),
  ids: { name: 'id', from: 'name' },
  file: { name: 'sponsors.yaml', isSample: true },
  label: 'Sponsor wall',
  lead: 'The logos shown on the site, in order.',
  section: 'Support',
  listLabel: 'Sponsors',
  fields: [
    field('line', 'name', 'Name'),
    field('picture', 'logo', 'Logo'),
    field('line', 'website', 'Website', { isRequired: false, hint: 'Starts with https://' }),
  ],
  pathOf: () => '/sponsor-us',
})
