import type { AppContext } from '#server/app-context.ts'
import { kindsInUse } from '#contract/credentials/credential-kinds.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { StoredRecordField } from '#contract/member-record/record-fields.ts'
import { recordText } from '#contract/member-record/record-values.ts'
import type {
  DirectoryEntry,
  DirectoryFilter,
  getDirectoryEntry,
  PublicDirectory,
  searchDirectory,
} from '#contract/public/my-account/directory.ts'
import type { Caller } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { recheckCutoff } from '#server/features/credentials/credential-recheck.rules.ts'
import type { RecordViewer } from '#server/features/member-record/audience.rules.ts'
import { soughtWords, wordsOf } from '#server/features/member-record/directory-words.rules.ts'
import { listEntriesOf } from '#server/features/member-record/record-value.queries.ts'
import { visibleValues } from '#server/features/member-record/visible-values.rules.ts'
import {
  findPerson,
  hasActiveMembership,
  isAnyoneListed,
  listPeople,
  similarWords,
  type Directory,
  type DirectoryPerson,
  type DirectorySearch,
} from './directory-people.queries.ts'
import { isStillFound, readSearch, shownFields } from './directory-search.rules.ts'
import type { PlantedEntriesService, ShownPlantedEntry } from './planted/planted-entries.service.ts'
import { pageWithPlanted, realPart } from './planted/planted-entry.rules.ts'
import { markOf } from './public-mark.rules.ts'

const { peopleAPage, pagesMax } = limits.directory

type FoundPeople = Pick<ReplyOf<typeof searchDirectory>, 'people' | 'page' | 'hasMore' | 'filters'>

/** Who is found in the directory, and what is shown of them: every call decides both again. */
export function createDirectoryService(
  { db, clock, timeZone, cache, graceMs, settings, limiter, secrets }: AppContext,
  { planted }: { planted: Pick<PlantedEntriesService, 'shownTo'> },
) {
  const fields = () => cache.content().recordFields

  function directoryOf(kind: Directory['kind']): Directory {
    const now = clock.now()
    const moment = { now, graceMs: graceMs() }
    if (kind === 'members') return { kind, ...moment }
    const creditedAfter = recheckCutoff(now, settings().membership.recheckMonths)
    const needsCredentials = kindsInUse(cache.content().credentialKinds).length > 0
    return { kind, ...moment, needsCredentials, creditedAfter, today: dayOf(now, timeZone) }
  }

  /** @throws Problem ACTIVE_MEMBERSHIP_REQUIRED */
  async function requireActive(accountId: string): Promise<void> {
    const moment = { now: clock.now(), graceMs: graceMs() }
    if (!(await hasActiveMembership(db, moment, accountId))) throw new Problem('ACTIVE_MEMBERSHIP_REQUIRED')
  }

  /** Counts what a person reads in a day; an officer who views the site as a member has a count of their own. @throws Problem RATE_LIMITED */
  async function count(
    { accountId, viewer }: Caller,
    name: 'directorySearches' | 'directoryPeople' | 'directoryEntries',
    amount = 1,
  ): Promise<void> {
    if (amount === 0) return
    const subject = viewer ? `view of ${accountId}` : accountId
    const verdict = await limiter.hit(name, subject, settings().rateLimits[name], amount)
    if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
  }

  async function entriesOf(
    people: readonly DirectoryPerson[],
    viewer: Exclude<RecordViewer, 'owner'>,
  ): Promise<DirectoryEntry[]> {
    const values = await listEntriesOf(
      db,
      people.map(({ accountId }) => accountId),
    )
    return people.map(({ id, accountId, firstName, lastName, levelKey }) => ({
      id,
      firstName,
      lastName,
      values: visibleValues({ fields: fields(), entries: values.get(accountId) ?? [], level: levelKey }, viewer),
    }))
  }

  async function search(
    directory: Directory,
    sought: DirectorySearch,
    { page, plantedEntries }: { page: number; plantedEntries: readonly ShownPlantedEntry[] },
  ): Promise<FoundPeople> {
    const viewer = directory.kind === 'members' ? 'member' : 'stranger'
    const searchable = shownFields(fields(), viewer)
    const otherWords = plantedEntries.flatMap(wordsOfEntry)
    const plantedFound = await withWords(plantedEntries, { ...sought, otherWords })
    const part = { limit: peopleAPage + 1, offset: (page - 1) * peopleAPage }
    const listed = await listPeople(
      db,
      directory,
      { ...sought, otherWords, fields: searchable },
      realPart(plantedFound.length, part),
    )
    const found = pageWithPlanted(listed, plantedFound, part)
    const shown = found.slice(0, peopleAPage)
    const entries = await entriesOf(
      shown.flatMap((one) => ('values' in one ? [] : [one])),
      viewer,
    )
    const people = shown.flatMap((one) => {
      if (!('values' in one)) return entries.filter(({ id }) => id === one.id)
      const { sortName: _sortName, ...entry } = one
      return [entry]
    })
    return {
      // The stored words only narrow the search. What is shown has to have been found in what is shown.
      people: people.filter((person) => isStillFound(person, sought)),
      page,
      hasMore: found.length > peopleAPage && page < pagesMax,
      filters: filtersOf(searchable),
    }
  }

  /** Those planted entries that a search finds, as if their words were in use. */
  async function withWords(
    entries: readonly ShownPlantedEntry[],
    { words, otherWords = [], filters }: DirectorySearch,
  ): Promise<ShownPlantedEntry[]> {
    if (entries.length === 0) return []
    const meant = await Promise.all(words.map((word) => similarWords(db, word, otherWords)))
    return entries.filter((entry) => {
      const own = wordsOfEntry(entry)
      return meant.every((some) => some.some((word) => own.includes(word))) && isStillFound(entry, { words, filters })
    })
  }

  return {
    requireActive,

    /** @throws Problem ACTIVE_MEMBERSHIP_REQUIRED, RATE_LIMITED */
    async search(caller: Caller, query: QueryOf<typeof searchDirectory>): Promise<FoundPeople> {
      await requireActive(caller.accountId)
      await count(caller, 'directorySearches')
      const sought = readSearch(query)
      const page = Math.min(query.page, pagesMax)
      const plantedEntries = await planted.shownTo(caller)
      const found = await search(directoryOf('members'), sought, { page, plantedEntries })
      await count(caller, 'directoryPeople', found.people.length)
      return found
    },

    /** @throws Problem ACTIVE_MEMBERSHIP_REQUIRED, NOT_FOUND, RATE_LIMITED */
    async entry(caller: Caller, id: string): Promise<ReplyOf<typeof getDirectoryEntry>> {
      await requireActive(caller.accountId)
      const person = await findPerson(db, directoryOf('members'), { id })
      if (!person) {
        await count(caller, 'directoryEntries')
        const entry = (await planted.shownTo(caller)).find((one) => one.id === id)
        if (!entry) throw new Problem('NOT_FOUND')
        const { sortName: _sortName, ...plantedEntry } = entry
        return { ...plantedEntry, isOwn: false, takesMessages: true }
      }
      const isOwn = person.accountId === caller.accountId
      if (!isOwn) await count(caller, 'directoryEntries')
      const [shown] = await entriesOf([person], 'member')
      if (!shown) throw new Problem('NOT_FOUND')
      return { ...shown, isOwn, takesMessages: person.takesMessages === 1 && !isOwn }
    },

    /** The person behind an entry that members see now. */
    async findMember(by: { id: string } | { accountId: string }): Promise<DirectoryPerson | null> {
      return findPerson(db, directoryOf('members'), by)
    },

    /** Whether the public page shows someone now. */
    async isPublic(accountId: string): Promise<boolean> {
      return settings().publicDirectory.isOn && (await findPerson(db, directoryOf('public'), { accountId })) !== null
    },

    /** What the public page shows; null if it is switched off. Field keys in the query filter. */
    async publicPage(query: Readonly<Record<string, string>>): Promise<PublicDirectory | null> {
      const { isOn, slug: _slug, ...written } = settings().publicDirectory
      if (!isOn) return null
      const page = Math.min(Math.max(1, Number.parseInt(query['page'] ?? '1', 10) || 1), pagesMax)
      const searchable = shownFields(fields(), 'stranger')
      const filters = searchable.flatMap(({ key }) => {
        const value = query[key]
        return value ? [{ fieldKey: key, value }] : []
      })
      // No invented person is on the public page: the public relies on it (decision record 70).
      const found = await search(
        directoryOf('public'),
        { words: soughtWords(query['q'] ?? ''), filters },
        { page, plantedEntries: [] },
      )
      const mark = markOf(secrets.token('directory-mark', dayOf(clock.now(), timeZone)))
      return { ...written, ...found, mark }
    },

    async isAnyonePublic(): Promise<boolean> {
      return settings().publicDirectory.isOn && isAnyoneListed(db, directoryOf('public'))
    },
  }
}

export type DirectoryService = ReturnType<typeof createDirectoryService>

function wordsOfEntry({ firstName, lastName, values }: DirectoryEntry): string[] {
  return [firstName, lastName, ...values.map(({ value }) => recordText(value))].flatMap(wordsOf)
}

function filtersOf(fields: readonly StoredRecordField[]): DirectoryFilter[] {
  return fields
    .filter(({ kind }) => kind === 'choice' || kind === 'choices')
    .map(({ key, label, choices }) => ({ key, label, choices }))
}
