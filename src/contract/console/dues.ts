import { termUnit } from '../public/membership.ts'
import * as z from 'zod/mini'
import { amountField, dayField } from './member.ts'
import { endpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'
import { AUDIENCES } from '../public/membership.ts'

/** Dues and levels. Amounts are in cents, instants are ISO 8601. */

export const duesLimits = {
  nameMax: 60,
  descriptionMax: 300,
  smallestAmount: 100,
  plannedDaysMax: 730,
  keyMax: 40,
  benefits: 8,
  benefitMax: 120,
} as const

/** New members only, or current members too, each from their next renewal. */
export const PRICE_SCOPES = ['joining', 'everybody'] as const
export type PriceScope = (typeof PRICE_SCOPES)[number]

const priceChange = z.object({
  id: z.string(),
  amountBefore: z.int(),
  amountAfter: z.int(),
  scope: z.enum(PRICE_SCOPES),
  /** First day of the new price on the association's calendar. */
  startsOn: z.string(),
  state: z.enum(['planned', 'begun', 'withdrawn']),
  askedBy: z.string(),
  askedAt: z.string(),
  /** Subscriptions to move to the new price so far, by result. */
  moves: z.object({ waiting: z.int(), moved: z.int(), gone: z.int() }),
})
export type PriceChange = z.infer<typeof priceChange>

const duesLevel = z.object({
  key: z.string(),
  name: z.string(),
  description: z.string(),
  unitAmount: z.int(),
  currency: z.string(),
  interval: z.nullable(termUnit),
  intervalCount: z.nullable(z.int()),
  isRecurring: z.boolean(),
  isOnSale: z.boolean(),
  /** Members with active rights. */
  holders: z.int(),
  /** How many of them pay which price at each automatic renewal. */
  charged: z.array(z.object({ amount: z.int(), members: z.int() })),
  planned: z.nullable(priceChange),
  /** Optimistic-lock token; a mismatch means that the level changed. */
  version: z.string(),
})
export type DuesLevel = z.infer<typeof duesLevel>

const levelWithChanges = z.object({
  level: duesLevel,
  /** Newest first. */
  changes: z.array(priceChange),
  mayChange: z.boolean(),
})
export type LevelWithChanges = z.infer<typeof levelWithChanges>

const key = lineField(messages.text.unreadable, 64)
const listOfLevels = z.object({
  /** In display order. */
  levels: z.array(duesLevel),
  mayChange: z.boolean(),
})

export const listDues = endpoint({
  name: 'listDues',
  method: 'GET',
  path: '/api/console/dues',
  access: 'officer',
  permission: 'money.look',
  summary: 'List all levels with prices and member counts, including levels off sale',
  reply: listOfLevels,
  failures: [],
})

export const reorderLevels = endpoint({
  name: 'orderDues',
  method: 'PUT',
  path: '/api/console/dues',
  access: 'officer',
  permission: 'money.change',
  requiresFreshFactor: true,
  summary: 'Set the display order of levels',
  body: z.object({ keys: z.array(key).check(z.maxLength(100, messages.text.unreadable)) }),
  reply: listOfLevels,
  failures: ['CHANGED_MEANWHILE'],
})

/** The key of a new level, from its name: it is in addresses and exports, and never changes. */
export function levelKeyOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
}

export const addLevel = endpoint({
  name: 'addLevel',
  method: 'POST',
  path: '/api/console/dues',
  access: 'officer',
  permission: 'money.change',
  requiresFreshFactor: true,
  summary: 'Add a membership level: people can join it at once, if it is available',
  body: z.object({
    name: lineField('Please enter the name of the level', duesLimits.nameMax),
    key: lineField('Please enter a key', duesLimits.keyMax).check(
      z.regex(/^[a-z]+(_[a-z]+)*$/, 'Use lowercase letters joined by underscores'),
    ),
    description: lineField('Please describe who the level is for', duesLimits.descriptionMax),
    /** Dollars; '0' for a free level. */
    price: z.pipe(
      z
        .string('Please enter the price')
        .check(z.trim(), z.regex(/^\$?\d{1,5}(\.\d{1,2})?$/, 'Please enter the price, like 100 or 100.50')),
      z.transform((text: string) => Math.round(Number(text.replace('$', '')) * 100)),
    ),
    /** null for life. */
    interval: z.nullable(termUnit),
    intervalCount: z._default(
      z.int(messages.text.number).check(z.gte(1, messages.text.number), z.lte(36, messages.text.number)),
      1,
    ),
    audiences: z._default(z.array(z.enum(AUDIENCES, messages.text.unreadable)), []),
    benefits: z._default(
      z
        .array(lineField('Please enter the benefit', duesLimits.benefitMax))
        .check(z.maxLength(duesLimits.benefits, 'Please enter at most eight benefits')),
      [],
    ),
    isOnSale: z.boolean(messages.text.unreadable),
  }),
  reply: levelWithChanges,
  failures: [],
})

const oneLevel = { access: 'officer', params: z.object({ key }), reply: levelWithChanges } as const

export const getDues = endpoint({
  ...oneLevel,
  name: 'getDues',
  method: 'GET',
  path: '/api/console/dues/:key',
  permission: 'money.look',
  summary: 'Get a level with its price changes',
  failures: ['NOT_FOUND'],
})

export const saveLevel = endpoint({
  ...oneLevel,
  name: 'saveLevel',
  method: 'PUT',
  path: '/api/console/dues/:key',
  permission: 'money.change',
  requiresFreshFactor: true,
  summary: 'Change the name, description and availability of a level; current members keep a level that is off sale',
  body: z.object({
    name: lineField('Please enter the name of the level', duesLimits.nameMax),
    description: lineField('Please describe who the level is for', duesLimits.descriptionMax),
    isOnSale: z.boolean(messages.text.unreadable),
    version: z.string(),
  }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'LAST_LEVEL'],
})

const wantedPrice = {
  amount: amountField,
  scope: z.enum(PRICE_SCOPES, 'Please choose who pays the new price'),
  /** Omit to start immediately. */
  startsOn: z.optional(dayField('Please enter the first day of the new price')),
}

const priceEffect = z.object({
  amountBefore: z.int(),
  amountAfter: z.int(),
  currency: z.string(),
  /** New members pay the new price from this day. */
  startsOn: z.string(),
  isToday: z.boolean(),
  holders: z.int(),
  /** Members whose card is charged at each renewal; canceled renewals do not count. */
  byCard: z.int(),
  /** Members who renew manually, by check or card, at the price of that day. */
  byHand: z.int(),
  /** Members with a canceled renewal: nothing is charged again. */
  ending: z.int(),
  forLife: z.int(),
  /** Members with automatic renewal who keep their current price. */
  keepPrice: z.int(),
  /** Members who pay the new price from their next renewal, and the times of the first and last of these renewals. */
  movesAtNext: z.int(),
  firstAt: z.nullable(z.string()),
  lastAt: z.nullable(z.string()),
  /** Members who pay the old price once more, because a reminder already named it or they renew before the new price starts. */
  paysOnceMore: z.int(),
  /** Yearly dues of all renewing members, now and once every renewal has passed; null for a one-time level. */
  yearBefore: z.nullable(z.int()),
  yearAfter: z.nullable(z.int()),
  /** Open checkouts, which may still be paid at the price they showed. */
  openCheckouts: z.int(),
  version: z.string(),
})
export type PriceEffect = z.infer<typeof priceEffect>

export const previewPrice = endpoint({
  name: 'previewPrice',
  method: 'POST',
  path: '/api/console/dues/:key/effect',
  access: 'officer',
  permission: 'money.look',
  summary: 'Preview the effect of another price; changes nothing',
  params: z.object({ key }),
  body: z.object(wantedPrice),
  reply: priceEffect,
  failures: ['NOT_FOUND', 'PRICE_CHANGE_PLANNED'],
})

export const changePrice = endpoint({
  ...oneLevel,
  name: 'changePrice',
  method: 'POST',
  path: '/api/console/dues/:key/price',
  permission: 'money.change',
  requiresFreshFactor: true,
  summary: 'Change the price of a level, immediately or from a given day',
  body: z.object({ ...wantedPrice, version: z.string() }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'PRICE_CHANGE_PLANNED'],
})

export const withdrawPrice = endpoint({
  ...oneLevel,
  name: 'withdrawPrice',
  method: 'POST',
  path: '/api/console/dues/:key/changes/:change/withdraw',
  permission: 'money.change',
  requiresFreshFactor: true,
  summary: 'Withdraw a planned price if no member was moved to it yet',
  params: z.object({ key, change: key }),
  body: z.object({}),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'PRICE_CHANGE_BEGUN'],
})
