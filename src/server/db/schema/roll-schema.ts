import type { RollCallHow } from '#contract/console/people/roll-call.ts'
import type { RollCallAnswer } from '#contract/public/my-account/still-here.ts'
import type { RollRule, RollWay } from '#contract/console/people/roll.ts'
import type { JsonText } from './column-values.ts'
import type { SubscriberTable } from './newsletter-schema.ts'

/** The tables of person states, of roll calls and of rolls; conventions as in `schema.ts`. */

/** What officers decided about a person who is no longer reached, or who died (decision record 63). Without a row that is not undone, the person is living. */
export interface PersonStateTable {
  id: string
  accountId: string
  state: 'lost' | 'deceased'
  /** The day since which it is so, as far as known. */
  since: string
  /** Where officers know it from. */
  sources: JsonText<string[]>
  /** Account id of the officer. */
  decidedBy: string
  decidedAt: number
  /** Whether a recurring payment was ended with it; it is never restored. */
  endedRenewal: number
  /** The state of the newsletter subscription before; null: there was none. */
  endedNewsletter: SubscriberTable['state'] | null
  /** Account id of the officer, or of the person who answered. */
  undoneBy: string | null
  undoneAt: number | null
  /** The account's id while it counts, else null: unique. */
  activeKey: string | null
}

/** A report that a person died. Changes nothing by itself. */
export interface DeathReportTable {
  id: string
  accountId: string
  /** Where it is known from. */
  source: string
  /** Account id of the officer; null: by the link of a roll call. */
  reportedBy: string | null
  reportedAt: number
  closedAs: 'objected' | 'dismissed' | 'decided' | null
  closedAt: number | null
}

/** A yearly question to members whether they are still here. */
export interface RollCallTable {
  id: string
  /** Keys of levels. */
  levels: JsonText<string[]>
  beganAt: number
  beganBy: string
  /** The last day for answers, and the end of that day. */
  closesOn: string
  closesAt: number
  /** Account id of the officer who closed it early. */
  closedBy: string | null
  /** 'open' until it is closed, else null: unique, so one is open at a time. */
  openKey: 'open' | null
}

/** A member whom a roll call asks. */
export interface RollCallMemberTable {
  id: string
  callId: string
  accountId: string
  /** How the person is asked. */
  way: RollWay
  /** When the email was queued; null: not yet, or there is none. */
  queuedAt: number | null
  answer: RollCallAnswer | null
  answeredAt: number | null
  how: RollCallHow | null
  /** Account id of the officer who recorded it; null: the member, or anyone who had the link. */
  answeredBy: string | null
}

/** The members entitled on a day, by a rule. */
export interface RollTable {
  id: string
  name: string
  recordDay: string
  rule: JsonText<RollRule>
  /** Day and rule: unique, so that they make one roll. */
  ruleKey: string
  frozenAt: number
  frozenBy: string
  /** The last day for objections. */
  objectionsUntil: string
  sealedAt: number | null
  sealedBy: string | null
  /** SHA-256 of the list. */
  digest: string | null
  /** The sealed list, as CSV. */
  list: string | null
}

/** A person on a roll, as they were when it was frozen. */
export interface RollEntryTable {
  id: string
  rollId: string
  accountId: string
  lastName: string
  firstName: string
  /** Orders the list by the alphabet on both engines. */
  sortKey: string
  /** Name of the level. */
  level: string
  way: RollWay
  /** The postal address on one line; empty without one. */
  address: string
  /** The objection after which an officer removed or added the person. */
  removedBy: string | null
  addedBy: string | null
}

/** What a member says is wrong with a roll. */
export interface RollObjectionTable {
  id: string
  rollId: string
  accountId: string
  text: string
  madeAt: number
  answer: string | null
  answeredBy: string | null
  answeredAt: number | null
}
