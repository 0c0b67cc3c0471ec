import type { AppContext } from '#server/app-context.ts'
import {
  NOTICE,
  type MemberAudience,
  type MemberEmailTopic,
  type ReachReason,
  type ReachWay,
} from '#contract/console/emails/member-emails.ts'
import { type PostalAddress, isAddress } from '#contract/member-record/record-values.ts'
import type { MemberState } from '#contract/console/member-list.ts'
import type { Db } from '#server/db/database.ts'
import { memberFilter } from '#server/features/member-admin/member-filter.rules.ts'
import { ALL_MEMBERS, chosen, prepareList } from '#server/features/member-admin/member-list.queries.ts'
import { listEntriesOf } from '#server/features/member-record/record-value.queries.ts'
import { visibleValues } from '#server/features/member-record/visible-values.rules.ts'
import { wantsTopicSql } from '#server/features/email-topics/email-topic.queries.ts'
import { blockedMembers, refreshHashedAddresses } from './blocked-members.queries.ts'
import { reachOf, type ReachFacts, type ReachResult } from './reach.rules.ts'

const ENDED: Partial<Record<MemberState, ReachFacts['ended']>> = {
  LEFT: 'deleted',
  DISABLED: 'disabled',
  DECEASED: 'deceased',
}

/** A person on the list of an email, and how the email reaches them. */
export interface AudienceMember {
  accountId: string
  email: string
  way: ReachWay
  reason: ReachReason | null
}

/** Finds whom an email to members is for, and how each of them is reached. */
export function createMemberAudience({ clock, secrets, timeZone, graceMs, cache }: AppContext) {
  /** The members on the list, with what decides how an email reaches each. */
  async function onList(db: Db, topic: MemberEmailTopic, audience: MemberAudience) {
    const now = clock.now()
    const { recordFields, emailTopics } = cache.content()
    const filter =
      'ids' in audience
        ? { ...ALL_MEMBERS, ids: [...new Set(audience.ids)] }
        : memberFilter(audience.filter, { now, timeZone, recordFields })
    const moment = { now, graceMs: graceMs() }
    await prepareList(db, filter, moment)
    await refreshHashedAddresses(db, secrets)
    return chosen(db, filter, moment)
      .leftJoin(blockedMembers(db).as('block'), 'block.accountId', 'listed.accountId')
      .select(['listed.state', 'block.blocked', wantsTopicSql(db, { key: topic, own: emailTopics }).as('isWanted')])
  }

  /** The postal addresses that officers may see, by account. */
  async function listPostalAddresses(
    db: Db,
    accounts: readonly { id: string; levelKey: string | null }[],
  ): Promise<ReadonlyMap<string, PostalAddress>> {
    const fields = cache.content().recordFields.filter(({ kind }) => kind === 'address')
    if (fields.length === 0 || accounts.length === 0) return new Map()
    const entries = await listEntriesOf(
      db,
      accounts.map(({ id }) => id),
    )
    return new Map(
      accounts.flatMap(({ id, levelKey }) => {
        const shown = visibleValues({ fields, entries: entries.get(id) ?? [], level: levelKey }, 'officer')
        const [address] = shown.flatMap(({ value }) => (isAddress(value) ? [value] : []))
        return address ? [[id, address] as const] : []
      }),
    )
  }

  return {
    listPostalAddresses,

    /** Everyone on the list, as of now. */
    async list(db: Db, topic: MemberEmailTopic, audience: MemberAudience): Promise<AudienceMember[]> {
      const people = await (
        await onList(db, topic, audience)
      )
        .innerJoin('account', 'account.id', 'listed.accountId')
        .select(['account.id', 'account.email', 'listed.levelKey'])
        .execute()
      const byPost = topic === NOTICE ? people.filter(({ blocked }) => blocked !== null) : []
      const addresses = await listPostalAddresses(db, byPost)
      return people.map(({ id, email, ...facts }) => ({
        accountId: id,
        email,
        ...reachOf(topic, { ...factsOf(facts), hasPostalAddress: addresses.has(id) }),
      }))
    },

    /** How many of them are reached in each way: the same, counted by the database but for notices to those whom no email reaches. */
    async count(
      db: Db,
      topic: MemberEmailTopic,
      audience: MemberAudience,
    ): Promise<(ReachResult & { people: number })[]> {
      const people = await onList(db, topic, audience)
      const groups = await db
        .selectFrom(people.as('person'))
        .select((eb) => ['state', 'blocked', 'isWanted', eb.fn.countAll<number | string>().as('people')])
        .groupBy(['state', 'blocked', 'isWanted'])
        .execute()
      const byPost =
        topic === NOTICE
          ? await people
              .where('block.blocked', 'is not', null)
              .select(['listed.accountId as id', 'listed.levelKey'])
              .execute()
          : []
      const addresses = await listPostalAddresses(db, byPost)
      return [
        ...groups
          .filter(({ blocked }) => topic !== NOTICE || blocked === null)
          .map(({ people: count, ...facts }) => ({
            ...reachOf(topic, { ...factsOf(facts), hasPostalAddress: false }),
            people: Number(count),
          })),
        ...byPost.map(({ id, ...facts }) => ({
          ...reachOf(topic, { ...factsOf(facts), hasPostalAddress: addresses.has(id) }),
          people: 1,
        })),
      ]
    },
  }
}

function factsOf({
  state,
  blocked,
  isWanted,
}: {
  state: MemberState
  blocked: ReachFacts['blocked']
  isWanted: number
}): Omit<ReachFacts, 'hasPostalAddress'> {
  return { ended: ENDED[state] ?? null, blocked, isWanted: Number(isWanted) === 1 }
}

export type MemberAudiences = ReturnType<typeof createMemberAudience>
