import * as z from 'zod/mini'
import { amountField, dayField } from './console-member.ts'
import { endpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** Dues and levels, as the treasurer changes them. Amounts are cents, instants ISO 8601. */

export const duesLimits = { nameMax: 60, descriptionMax: 300, smallestAmount: 100, plannedDaysMax: 730 } as const

/** Whoever joins, or members too, each from the next renewal on. */
export const PRICE_SCOPES = ['joining', 'everybody'] as const
export type PriceScope = (typeof PRICE_SCOPES)[number]

const priceChange = z.object({
  id: z.string(),
  amountBefore: z.int(),
  amountAfter: z.int(),
  scope: z.enum(PRICE_SCOPES),
  /** First day of the new price, on the association's calendar. */
  startsOn: z.string(),
  state: z.enum(['planned', 'begun', 'withdrawn']),
  askedBy: z.string(),
  askedAt: z.string(),
  /** Subscriptions that were to be moved to the new price so far, and what became of them. */
  moves: z.object({ waiting: z.int(), moved: z.int(), gone: z.int() }),
})
export type PriceChange = z.infer<typeof priceChange>

const duesLevel = z.object({
  key: z.string(),
  name: z.string(),
  description: z.string(),
  unitAmount: z.int(),
  currency: z.string(),
  interval: z.nullable(z.enum(['year', 'month'])),
  intervalCount: z.nullable(z.int()),
  isRecurring: z.boolean(),
  isOnSale: z.boolean(),
  /** Members whose rights exist. */
  holders: z.int(),
  /** How many of them pay which price at each renewal by card. */
  charged: z.array(z.object({ amount: z.int(), members: z.int() })),
  planned: z.nullable(priceChange),
  /** What the level was when this was read: a change names it, so that none rests on what changed meanwhile. */
  version: z.string(),
})
export type DuesLevel = z.infer<typeof duesLevel>

const levelWithChanges = z.object({
  level: duesLevel,
  /** The latest first. */
  changes: z.array(priceChange),
  mayChange: z.boolean(),
})
export type LevelWithChanges = z.infer<typeof levelWithChanges>

const key = lineField(messages.text.unreadable, 64)
const listOfLevels = z.object({
  /** In the order in which they are shown. */
  levels: z.array(duesLevel),
  mayChange: z.boolean(),
})

export const listDues = endpoint({
  name: 'listDues',
  method: 'GET',
  path: '/api/console/dues',
  access: 'officer',
  permission: 'money.look',
  summary: 'Every level with its price and who holds it, also those no longer on sale',
  reply: listOfLevels,
  failures: [],
})

export const orderDues = endpoint({
  name: 'orderDues',
  method: 'PUT',
  path: '/api/console/dues',
  access: 'officer',
  permission: 'money.change',
  asksAgain: true,
  summary: 'The order in which levels are shown',
  body: z.object({ keys: z.array(key).check(z.maxLength(100, messages.text.unreadable)) }),
  reply: listOfLevels,
  failures: ['CHANGED_MEANWHILE'],
})

const oneLevel = { access: 'officer', params: z.object({ key }), reply: levelWithChanges } as const

export const getDues = endpoint({
  ...oneLevel,
  name: 'getDues',
  method: 'GET',
  path: '/api/console/dues/:key',
  permission: 'money.look',
  summary: 'One level with the changes of its price',
  failures: ['NOT_FOUND'],
})

export const saveLevel = endpoint({
  ...oneLevel,
  name: 'saveLevel',
  method: 'PUT',
  path: '/api/console/dues/:key',
  permission: 'money.change',
  asksAgain: true,
  summary: 'What a level is called, what is said of it, and whether it is on sale; members keep one that is not',
  body: z.object({
    name: lineField('Please enter what the level is called', duesLimits.nameMax),
    description: lineField('Please say whom the level is for', duesLimits.descriptionMax),
    isOnSale: z.boolean(messages.text.unreadable),
    version: z.string(),
  }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'LAST_LEVEL'],
})

const wantedPrice = {
  amount: amountField,
  scope: z.enum(PRICE_SCOPES, 'Please choose who pays the new price'),
  /** Left out: at once. */
  startsOn: z.optional(dayField('Please enter the first day of the new price')),
}

const priceEffect = z.object({
  amountBefore: z.int(),
  amountAfter: z.int(),
  currency: z.string(),
  /** Whoever joins from this day on pays the new price. */
  startsOn: z.string(),
  isToday: z.boolean(),
  holders: z.int(),
  /** Charged by card at each renewal, and not stopped. */
  byCard: z.int(),
  /** Renewing by themselves, by check or anew by card, for what the level costs on that day. */
  byHand: z.int(),
  /** Stopped: nothing is charged again. */
  ending: z.int(),
  forLife: z.int(),
  /** Of those charged by card: who goes on paying what they pay, at every renewal. */
  keepPrice: z.int(),
  /** Who pays the new price from the next renewal on, and when the first and the last of these are. */
  movesAtNext: z.int(),
  firstAt: z.nullable(z.string()),
  lastAt: z.nullable(z.string()),
  /** Who pays the old price once more: the amount of their next renewal was told, or it comes before the new price begins. */
  paysOnceMore: z.int(),
  /** Dues a year from everybody who renews: as it is, and once every renewal has come round; null for a level paid once. */
  yearBefore: z.nullable(z.int()),
  yearAfter: z.nullable(z.int()),
  /** Checkouts that are open right now: they may be paid at the price that was shown. */
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
  summary: 'What another price would mean; nothing is changed',
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
  asksAgain: true,
  summary: 'Another price for a level, at once or from a day on',
  body: z.object({ ...wantedPrice, version: z.string() }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'PRICE_CHANGE_PLANNED'],
})

export const withdrawPrice = endpoint({
  ...oneLevel,
  name: 'withdrawPrice',
  method: 'POST',
  path: '/api/console/dues/:key/changes/:change/withdraw',
  permission: 'money.change',
  asksAgain: true,
  summary: 'Takes back a planned price, as long as no member was moved to it',
  params: z.object({ key, change: key }),
  body: z.object({}),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'PRICE_CHANGE_BEGUN'],
})
