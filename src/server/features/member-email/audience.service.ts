import type { AppContext } from '#server/app-context.ts'
import {
  NOTICE,
  type MemberAudience,
  type MemberEmailTopic,
  type ReachReason,
  type ReachWay,
} from '#contract/console/emails/member-emails.ts'
import { type PostalAddress, isAddress } from '#contract/member-record/record-values.ts'
import type { Db } from '#server/db/database.ts'
import { mapYielding } from '#server/jobs/event-loop-yield.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import { memberFilter } from '#server/features/member-admin/member-filter.rules.ts'
import { ALL_MEMBERS, chosen, prepareList } from '#server/features/member-admin/member-list.queries.ts'
import { listEntriesOf } from '#server/features/member-record/record-value.queries.ts'
import { visibleValues } from '#server/features/member-record/visible-values.rules.ts'
import { listBlockedAddresses } from '#server/features/newsletter/subscribers/subscriber.queries.ts'
import { wantsTopic } from '#server/features/email-topics/email-topic.queries.ts'
import { reachOf, type ReachFacts } from './reach.rules.ts'

const ENDED = { self: 'deleted', officer: 'disabled', deceased: 'deceased' } as const

/** A person on the list of an email, and how the email reaches them. */
export interface AudienceMember {
  accountId: string
  email: string
  way: ReachWay
  reason: ReachReason | null
}

/** Finds whom an email to members is for, and how each of them is reached. */
export function createMemberAudience({ clock, secrets, timeZone, graceMs, cache }: AppContext) {
  async function listAccounts(db: Db, audience: MemberAudience) {
    const now = clock.now()
    const filter =
      'ids' in audience
        ? { ...ALL_MEMBERS, ids: [...new Set(audience.ids)] }
        : memberFilter(audience.filter, { now, timeZone, recordFields: cache.content().recordFields })
    const moment = { now, graceMs: graceMs() }
    await prepareList(db, filter, moment)
    return chosen(db, filter, moment)
      .innerJoin('account', 'account.id', 'listed.accountId')
      .select(['account.id', 'account.email', 'account.deactivatedBy', 'listed.levelKey'])
      .execute()
  }

  /** Why nothing may be sent to an address. */
  async function listBlocks(db: Db, emails: readonly string[]): Promise<ReachFacts['blocked'][]> {
    const blocked = await listBlockedAddresses(db)
    return mapYielding(emails, (email) => {
      if (email === '') return 'no-email'
      const reason = blocked.size === 0 ? undefined : blocked.get(addressHash(secrets, email))
      return reason === undefined ? null : reason === 'complaint' ? 'complained' : 'bounced'
    })
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
      const accounts = await listAccounts(db, audience)
      const blocks = await listBlocks(
        db,
        accounts.map(({ email }) => email),
      )
      const isWanted = await wantsTopic(db, { key: topic, own: cache.content().emailTopics })
      const byPost = topic === NOTICE ? accounts.filter((_, index) => blocks[index] !== null) : []
      const addresses = await listPostalAddresses(db, byPost)
      return accounts.map(({ id, email, deactivatedBy }, index) => ({
        accountId: id,
        email,
        ...reachOf(topic, {
          ended: deactivatedBy && ENDED[deactivatedBy],
          blocked: blocks[index] ?? null,
          isWanted: isWanted(id),
          hasPostalAddress: addresses.has(id),
        }),
      }))
    },
  }
}

export type MemberAudiences = ReturnType<typeof createMemberAudience>
