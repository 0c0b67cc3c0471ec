import type { AppContext } from '#server/app-context.ts'
import type { ConsoleRecord, editMemberRecord } from '#contract/console/people/member-record.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import {
  appliesTo,
  audiencesOf,
  type RecordField,
  type StoredRecordField,
} from '#contract/member-record/record-fields.ts'
import type { AccountRecord, updateRecord, VisibleValue } from '#contract/public/my-account/member-record.ts'
import type { PersonalData } from '#contract/public/account-data.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { FIRST_AUDIENCE, visibleTo, type EnteredBy, type RecordViewer } from './audience.rules.ts'
import { refreshDirectoryWords } from './directory-words.commands.ts'
import { confirmEntries, deleteEntry, saveEntry } from './record-value.commands.ts'
import { listEntries, type RecordEntry } from './record-value.queries.ts'
import { entryOf, visibleValues } from './visible-values.rules.ts'
import { isSame, planOfficerChange, planOwnChange, type EntryChange, type StoredRecord } from './record-change.rules.ts'

/** The member record: what the association asks its members besides name and address, and who sees each value. */
export function createMemberRecordService(
  { db, clock, timeZone, cache }: AppContext,
  {
    guard,
    levelOf,
  }: {
    guard: ActAuthorizer
    /** The level of the current or last membership; null without one. */
    levelOf(handle: Db, accountId: string): Promise<string | null>
  },
) {
  async function load(handle: Db, accountId: string): Promise<StoredRecord> {
    const fields = cache.content().recordFields
    return { fields, entries: await listEntries(handle, accountId), level: await levelOf(handle, accountId) }
  }

  /** @param viewer `officer` for an officer who views the site as this member */
  function describeOwn(record: StoredRecord, viewer: 'owner' | 'officer'): AccountRecord {
    return {
      fields: askedFields(record).map((field) => {
        const entry = entryOf(record.entries, field)
        const audience = entry?.audience ?? FIRST_AUDIENCE.owner
        const isShown = entry && visibleTo(viewer, { field, audience, level: record.level })
        return {
          ...publicField(field),
          value: isShown ? entry.value : null,
          audience,
          audiences: audiencesOf(field),
          confirmedOn: isShown ? entry.confirmedOn : null,
          enteredBy: isShown ? enteredBy(entry) : null,
          mayEdit: field.asked !== 'officers',
        }
      }),
      version: versionOf(record),
    }
  }

  function describeForOfficers(record: StoredRecord, mayEdit: boolean): ConsoleRecord {
    const { entries, level } = record
    return {
      fields: record.fields
        .filter((field) => !field.isRetired && appliesTo(field, level))
        .map((field) => {
          const entry = entryOf(entries, field)
          const isShown = entry && visibleTo('officer', { field, audience: entry.audience, level })
          return {
            ...publicField(field),
            value: isShown ? entry.value : null,
            isPrivate: entry !== undefined && !isShown,
            audience: entry?.audience ?? null,
            confirmedOn: isShown ? entry.confirmedOn : null,
          }
        }),
      version: versionOf(record),
      mayEdit,
    }
  }

  /** Stores the changes, and their fields in the audit log: never the values. */
  async function store(
    tx: Tx,
    accountId: string,
    { changes, record, actor }: { changes: readonly EntryChange[]; record: StoredRecord; actor: string },
  ): Promise<void> {
    const now = clock.now()
    for (const { field, ...change } of changes) {
      const one = { accountId, fieldKey: field.key }
      if (change.value === null) await deleteEntry(tx, one)
      else await saveEntry(tx, { ...one, ...change, value: change.value, changedAt: now })
    }
    await refreshDirectoryWords(tx, accountId)
    const differing = changes.filter(({ field, value, audience }) => {
      const entry = entryOf(record.entries, field)
      return !isSame(entry?.value ?? null, value) || (entry !== undefined && entry.audience !== audience)
    })
    const labels = differing.map(({ field }) => field.label)
    if (labels.length === 0) return
    const details = { fields: labels }
    await writeAudit(tx, { actor, action: 'record.changed', subjectId: accountId, details }, now)
  }

  async function mayEdit(by: Officer, accountId: string, isOpen: boolean): Promise<boolean> {
    const refusal = await guard.refusal(db, { act: 'editMemberRecord', by: by.accountId, on: accountId })
    return isOpen && refusal === null
  }

  return {
    /** @param isView whether an officer views the site as this member, and sees what officers see */
    async own(accountId: string, isView: boolean): Promise<AccountRecord> {
      return describeOwn(await load(db, accountId), isView ? 'officer' : 'owner')
    },

    /** @throws Problem INVALID_INPUT by field, PROFILE_CHANGED if the record differs from what the member saw */
    async change(
      accountId: string,
      { version, values = {}, audiences = {} }: BodyOf<typeof updateRecord>,
    ): Promise<AccountRecord> {
      const today = dayOf(clock.now(), timeZone)
      return db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const record = await load(tx, accountId)
        if (versionOf(record) !== version) throw new Problem('PROFILE_CHANGED')
        const plan = planOwnChange(record, { values, audiences }, today)
        if (plan.problems) throw new Problem('INVALID_INPUT', { fields: plan.problems })
        await store(tx, accountId, { changes: plan.changes, record, actor: accountId })
        return describeOwn(await load(tx, accountId), 'owner')
      })
    },

    /** @throws Problem PROFILE_CHANGED if the record differs from what the member saw */
    async confirm(accountId: string, version: string): Promise<AccountRecord> {
      const day = dayOf(clock.now(), timeZone)
      return db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const record = await load(tx, accountId)
        if (versionOf(record) !== version) throw new Problem('PROFILE_CHANGED')
        const keys = askedFields(record).map(({ key }) => key)
        await confirmEntries(tx, { accountId, keys, day })
        await writeAudit(tx, { actor: accountId, action: 'record.confirmed', subjectId: accountId }, clock.now())
        return describeOwn(await load(tx, accountId), 'owner')
      })
    },

    /** Everything for the owner's download, also values of fields that are no longer in use. */
    async all(accountId: string): Promise<PersonalData['record']> {
      const { fields, entries } = await load(db, accountId)
      return entries.map((entry) => ({
        field: fields.find(({ key }) => key === entry.fieldKey)?.label ?? entry.fieldKey,
        value: entry.value,
        audience: entry.audience,
        enteredBy: enteredBy(entry),
        changedAt: new Date(entry.changedAt).toISOString(),
        confirmedOn: entry.confirmedOn,
      }))
    },

    /** What a viewer gets of the record of a member. */
    async seenAs(accountId: string, viewer: Exclude<RecordViewer, 'owner'>): Promise<VisibleValue[]> {
      return visibleValues(await load(db, accountId), viewer)
    },

    /** @throws Problem NOT_FOUND */
    async describe(by: Officer, accountId: string): Promise<ConsoleRecord> {
      const account = await findAccount(db, accountId)
      if (!account) throw new Problem('NOT_FOUND')
      const isOpen = account.deactivatedBy === null
      return describeForOfficers(await load(db, accountId), await mayEdit(by, accountId, isOpen))
    },

    /** @throws Problem NOT_FOUND, OWN_ACCOUNT, ACCOUNT_CLOSED, CHANGED_MEANWHILE, INVALID_INPUT by field */
    async edit(
      by: Officer,
      accountId: string,
      { version, values }: BodyOf<typeof editMemberRecord>,
    ): Promise<ConsoleRecord> {
      return db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const account = await findAccount(tx, accountId)
        if (!account) throw new Problem('NOT_FOUND')
        await guard.require(tx, { act: 'editMemberRecord', by: by.accountId, on: accountId })
        if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
        const record = await load(tx, accountId)
        if (versionOf(record) !== version) throw new Problem('CHANGED_MEANWHILE')
        const plan = planOfficerChange(record, values, by.accountId)
        if (plan.problems) throw new Problem('INVALID_INPUT', { fields: plan.problems })
        await store(tx, accountId, { changes: plan.changes, record, actor: by.accountId })
        return describeForOfficers(await load(tx, accountId), true)
      })
    },
  }
}

export type MemberRecordService = ReturnType<typeof createMemberRecordService>

/** What the owner is asked, and what is left from a time when it was. */
function askedFields({ fields, entries, level }: StoredRecord): StoredRecordField[] {
  return fields.filter(
    (field) =>
      !field.isRetired &&
      (entryOf(entries, field) !== undefined || (field.asked !== 'officers' && appliesTo(field, level))),
  )
}

function enteredBy({ changedBy }: RecordEntry): EnteredBy {
  return changedBy === 'owner' || changedBy === 'import' ? changedBy : 'officer'
}

function publicField({ isRetired: _isRetired, ...field }: StoredRecordField): RecordField {
  return field
}

/** Changes with the fields and with every value. */
function versionOf({ fields, entries, level }: StoredRecord): string {
  return hashToken(JSON.stringify([fields, entries, level]))
}
