import { isDeepStrictEqual } from 'node:util'
import { eachByItself } from '#server/platform/each-by-itself.ts'
import type { Kysely } from 'kysely'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import {
  NEW_RECORD,
  type ContentValue,
  type getContent,
  type listContentKinds,
  type saveContent,
} from '#contract/console-content.ts'
import { dayOf } from '#contract/dates.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { Job } from '#server/platform/job-runner.ts'
import { instantOf } from '#server/platform/local-time.rules.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { holdContent, raiseContentVersion } from '../association/content.repository.ts'
import type { HeldWork } from '../console/held-work.ts'
import type { PictureUser } from '../media/media-console.service.ts'
import { namesPicture, withPicture } from '../media/picture-uses.rules.ts'
import { changesOf, createContentReading, type ContentReading } from './content-reading.ts'
import { freeId, SINGLE, type ContentForm } from './content-form.ts'
import {
  addRevision,
  countWaiting,
  findLastPublic,
  findRevision,
  listDue,
  type Revision,
} from './content-revision.repository.ts'
import { isWaiting, type Standing } from './content-state.rules.ts'
import { versionOf } from './content-version.ts'
import { readContentValue } from './content-value.rules.ts'
import { contentForms } from './content-forms.ts'

type Saved = BodyOf<typeof saveContent>
type Place = { kind: string; id: string }
type ContentRecord = ReplyOf<typeof getContent>

export interface ContentService extends Pick<ContentReading, 'list' | 'get' | 'usesOf'>, PictureUser {
  kinds(): Promise<ReplyOf<typeof listContentKinds>>
  /** @throws Problem with sentences by field, or CHANGED_MEANWHILE */
  save(officer: Officer, place: Place, saved: Saved): Promise<ContentRecord>
  restore(officer: Officer, place: Place, asked: { number: number; version: string }): Promise<ContentRecord>
  remove(officer: Officer, place: Place, asked: { version: string }): Promise<ContentRecord>
  /** For whoever changes several records at once. */
  many: ManyRecords
  /** Publishes what is due. */
  job: Job
}

/** What writes does so within a transaction of the caller that holds content (`holdContent`). */
export interface ManyRecords {
  form(kind: string): ContentForm
  standings: ContentReading['standings']
  /** Publishes a value that fits its form, as a version like any other. Resolves with the version the record has from now on. */
  publish(tx: Tx, actor: string, place: Place, value: ContentValue): Promise<string>
  /** Takes a record off the site. @throws Problem NOT_FOUND where something of this kind must always be there */
  remove(tx: Tx, actor: string, place: Place): Promise<void>
}

type ContentAction = 'draft' | 'published' | 'scheduled' | 'restored' | 'deleted' | 'held'

const PUBLISH_EVERY_MS = 15_000

/** Content that moves money is changed by those who may move it. @throws Problem INVALID_INPUT under the field */
function requireGuards(
  { permissions }: Officer,
  { guards = [] }: ContentForm,
  { shown, value }: { shown: ContentValue | null; value: ContentValue },
): void {
  for (const { field, permission, sentence, of } of guards) {
    const isSame = shown !== null && isDeepStrictEqual(of(shown), of(value))
    if (!isSame && !permissions.includes(permission)) throw fieldProblem(field, sentence)
  }
}

/** What officers write: every save is a version of its own, and only what is published reaches the tables that visitors see. */
export function createContentService({
  db,
  clock,
  timeZone,
  heldWork,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  heldWork: HeldWork
}): ContentService {
  const reading = createContentReading({ db, clock, timeZone })
  const { formOf } = reading

  /** Adds a version of a record, and one of what visitors saw if nobody has kept that yet. */
  async function keep(
    tx: Tx,
    { form, id, standing }: { form: ContentForm; id: string; standing: Standing },
    version: Pick<Revision, 'action' | 'value' | 'savedBy' | 'publishAt' | 'held'>,
  ): Promise<void> {
    const now = clock.now()
    const common = { kind: form.kind, recordId: id, savedAt: now }
    let number = standing.newest?.number ?? 0
    const { shown } = standing
    const known = shown && (await findLastPublic(tx, { kind: form.kind, id }))
    if (shown && JSON.stringify(known?.value) !== JSON.stringify(shown)) {
      const found = { action: 'found', value: shown, savedBy: 'webmaster', publishAt: null } as const
      await addRevision(tx, { ...common, ...found, id: newId(now), number: ++number })
    }
    let { value } = version
    if (version.action === 'published') {
      const moment = { today: dayOf(now, timeZone), newId: () => newId(now) }
      await form.publish(tx, id, value, moment)
      // As it is read back: so a later look tells whether somebody else changed it.
      value = (await reading.standingOf(tx, form, id)).shown ?? value
    }
    await addRevision(tx, { ...common, ...version, value, id: newId(now), number: number + 1 })
    if (version.action === 'published' || version.action === 'deleted') await raiseContentVersion(tx)
  }

  /** @param place `version` is null for a new record */
  async function change(
    actor: string,
    { form, id, version }: { form: ContentForm; id: string; version: string | null },
    act: (tx: Tx, standing: Standing) => Promise<{ action: ContentAction; after: ContentValue | null }>,
  ): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await holdContent(tx)
      const standing = await reading.standingOf(tx, form, id)
      const isThere = standing.shown !== null || standing.newest !== null
      if (version === null ? isThere : isThere && version !== versionOf(standing))
        throw new Problem('CHANGED_MEANWHILE')
      if (version !== null && !isThere && !(form.isSingle && id === SINGLE)) throw new Problem('NOT_FOUND')
      const { action, after } = await act(tx, standing)
      await note(tx, actor, { form, id, standing }, { action, after })
    })
  }

  async function note(
    tx: Tx,
    actor: string,
    { form, id, standing }: { form: ContentForm; id: string; standing: Standing },
    { action, after }: { action: ContentAction; after: ContentValue | null },
  ): Promise<void> {
    const details = changesOf(standing, after)
    await writeAudit(tx, { actor, action: `content.${action}`, subjectId: `${form.kind}/${id}`, details }, clock.now())
  }

  async function takeOff(
    tx: Tx,
    { form, id, standing }: { form: ContentForm; id: string; standing: Standing },
    savedBy: string,
  ): Promise<void> {
    if (!form.remove) throw new Problem('NOT_FOUND')
    const value = standing.shown ?? standing.newest?.value ?? {}
    await keep(tx, { form, id, standing }, { action: 'deleted', value, savedBy, publishAt: null })
    await form.remove(tx, id, { today: dayOf(clock.now(), timeZone) })
  }

  const many: ManyRecords = {
    form: formOf,
    standings: reading.standings,

    async publish(tx, actor, { kind, id }, value) {
      const form = formOf(kind)
      const standing = await reading.standingOf(tx, form, id)
      await keep(tx, { form, id, standing }, { action: 'published', value, savedBy: actor, publishAt: null })
      await note(tx, actor, { form, id, standing }, { action: 'published', after: value })
      return versionOf(await reading.standingOf(tx, form, id))
    },

    async remove(tx, actor, { kind, id }) {
      const form = formOf(kind)
      const standing = await reading.standingOf(tx, form, id)
      await takeOff(tx, { form, id, standing }, actor)
      await note(tx, actor, { form, id, standing }, { action: 'deleted', after: null })
    },
  }

  /** Of one record: what visitors see is published anew, and what waits goes on waiting. */
  async function replaceIn(
    tx: Tx,
    { form, id, standing }: { form: ContentForm; id: string; standing: Standing },
    { officer, from, to }: { officer: Officer; from: string; to: string },
  ): Promise<void> {
    const { shown, newest } = standing
    const waiting = newest && isWaiting(newest) ? newest : null
    const isNamed = (value: ContentValue) => namesPicture(JSON.stringify(value), from)
    const isShown = shown !== null && isNamed(shown)
    if (!isShown && !(waiting && isNamed(waiting.value))) return
    const savedBy = officer.accountId
    if (isShown) {
      const value = withPicture(shown, from, to)
      await keep(tx, { form, id, standing }, { action: 'published', value, savedBy, publishAt: null })
    }
    if (waiting) {
      const { action, publishAt, held } = waiting
      const now = await reading.standingOf(tx, form, id)
      const value = withPicture(waiting.value, from, to)
      // Whoever scheduled it still answers for it.
      const by = action === 'scheduled' ? waiting.savedBy : savedBy
      await keep(tx, { form, id, standing: now }, { action, value, savedBy: by, publishAt, held })
    }
    const details = { before: from, after: to }
    const entry = {
      actor: savedBy,
      action: 'content.picture-replaced' as const,
      subjectId: `${form.kind}/${id}`,
      details,
    }
    await writeAudit(tx, entry, clock.now())
  }

  function momentOf({ action, publishAt }: Saved): number | null {
    if (action !== 'schedule') return null
    const instant = instantOf(publishAt ?? '', timeZone)
    if (instant === null) throw fieldProblem('publishAt', 'Please choose a day and a time')
    if (instant <= clock.now()) throw fieldProblem('publishAt', 'This time is over. Choose a later one, or publish now')
    return instant
  }

  async function placeOf(form: ContentForm, id: string, value: ContentValue): Promise<string> {
    if (id !== NEW_RECORD) return id
    if (!form.idFor) throw new Problem('NOT_FOUND')
    const wanted = form.idFor(value)
    const taken = await reading.takenIds(form)
    if (!taken.has(wanted) && wanted !== NEW_RECORD) return wanted
    const fixed = form.fields.findLast(({ isFixed }) => isFixed)
    if (fixed) throw fieldProblem(fixed.name, 'There is one for this already. Open it from the list')
    return freeId(wanted, (one) => one === NEW_RECORD || taken.has(one))
  }

  return {
    list: reading.list,
    get: reading.get,
    usesOf: reading.usesOf,
    many,

    async replacePicture(tx, officer, names) {
      await holdContent(tx)
      for (const form of contentForms) {
        for (const [id, standing] of await reading.standings(tx, form))
          await replaceIn(tx, { form, id, standing }, { officer, ...names })
      }
    },

    async kinds() {
      const waiting = await countWaiting(db)
      return { kinds: contentForms.map((form) => ({ ...reading.factsOf(form), drafts: waiting.get(form.kind) ?? 0 })) }
    },

    async save(officer, { kind, id: asked }, saved) {
      const form = formOf(kind)
      const publishAt = momentOf(saved)
      const id = await placeOf(form, asked, saved.value)
      const isNew = asked === NEW_RECORD
      const fixed = isNew ? {} : await reading.fixedOf(form, id)
      const isDraft = saved.action === 'draft'
      const { value, problems } = readContentValue(form, { ...saved.value, ...fixed }, id, { isDraft })
      if (problems) throw new Problem('INVALID_INPUT', { fields: problems })
      const action = ({ draft: 'draft', publish: 'published', schedule: 'scheduled' } as const)[saved.action]
      await change(officer.accountId, { form, id, version: isNew ? null : saved.version }, async (tx, standing) => {
        if (action !== 'draft') requireGuards(officer, form, { shown: standing.shown, value })
        await keep(tx, { form, id, standing }, { action, value, savedBy: officer.accountId, publishAt })
        return { action, after: value }
      })
      return reading.get({ kind, id })
    },

    async restore(officer, { kind, id }, { number, version }) {
      const form = formOf(kind)
      await change(officer.accountId, { form, id, version }, async (tx, standing) => {
        const former = await findRevision(tx, { kind, id, number })
        if (!former) throw new Problem('NOT_FOUND')
        const wasPublic = former.action === 'published' || former.action === 'found'
        const { value, problems } = readContentValue(form, former.value, id, { isDraft: !wasPublic })
        if (problems) throw new Problem('INVALID_INPUT', { fields: problems })
        const action = wasPublic ? 'published' : 'draft'
        if (action === 'published') requireGuards(officer, form, { shown: standing.shown, value })
        await keep(tx, { form, id, standing }, { action, value, savedBy: officer.accountId, publishAt: null })
        return { action: 'restored', after: value }
      })
      return reading.get({ kind, id })
    },

    async remove(officer, { kind, id }, { version }) {
      const form = formOf(kind)
      await change(officer.accountId, { form, id, version }, async (tx, standing) => {
        await takeOff(tx, { form, id, standing }, officer.accountId)
        return { action: 'deleted', after: null }
      })
      return reading.get({ kind, id })
    },

    job: {
      name: 'publish-content',
      everyMs: PUBLISH_EVERY_MS,
      async run() {
        const nameOf = ({ kind, recordId }: Revision) => `${kind}/${recordId}`
        await eachByItself(await listDue(db, clock.now()), nameOf, async (due) => {
          const { kind, recordId: id, number, savedBy, publishAt } = due
          const form = formOf(kind)
          const { version } = await reading.get({ kind, id })
          await change('system', { form, id, version }, async (tx, standing) => {
            const { newest } = standing
            if (newest?.number !== number) throw new Problem('CHANGED_MEANWHILE')
            if (!(await heldWork.mayStill(tx, savedBy, 'content.change'))) {
              const held = await heldWork.sentence(tx, savedBy, publishAt ?? clock.now())
              const { value } = newest
              await keep(
                tx,
                { form, id, standing },
                { action: 'draft', value, savedBy: 'system', publishAt: null, held },
              )
              return { action: 'held', after: value }
            }
            await keep(
              tx,
              { form, id, standing },
              { action: 'published', value: newest.value, savedBy, publishAt: null },
            )
            return { action: 'published', after: newest.value }
          })
        })
      },
    },
  }
}
