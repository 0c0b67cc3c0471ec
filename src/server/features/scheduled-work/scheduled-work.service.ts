import type { Kysely } from 'kysely'
import type { Permission } from '#contract/access.ts'
import type { HeldItem } from '#contract/console.ts'
import { dayOf, formatMoment } from '#contract/dates.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { findPeople } from '../account/account.repository.ts'
import { holdContent } from '../association/content.repository.ts'
import { contentForms } from '../content/content-forms.ts'
import { addRevision, listScheduledBy } from '../content/content-revision.repository.ts'
import { findCampaign } from '../newsletter/campaign.repository.ts'
import { isAhead, listSchedules, refuseSchedule } from '../newsletter/draft.repository.ts'
import { changeRollOver, findOpen } from '../roll-over/roll-over.repository.ts'
import { permissionsOn } from './role-permissions.ts'

/** What is scheduled rests on the role of whoever scheduled it, until the hour comes. */
export interface HeldWork {
  /** Whether somebody may still do what they scheduled; the webmaster and the site itself always may. */
  mayStill(handle: Db, accountId: string, permission: Permission): Promise<boolean>
  /** Why something that was to happen at an instant did not, in a sentence. */
  sentence(handle: Db, accountId: string, at: number): Promise<string>
  /**
   * Holds whatever this person scheduled and may do no longer; call it after a role or an account has ended. A process that dies before it changes
   * nothing: the role is checked again at the hour. @param by whoever ended it
   */
  hold(accountId: string, by: string): Promise<HeldItem[]>
}

/** Those that act without a role. */
const WITHOUT_ROLE = new Set(['webmaster', 'system'])

export function createHeldWork({
  db,
  clock,
  timeZone,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
}): HeldWork {
  const today = () => dayOf(clock.now(), timeZone)

  async function sentence(handle: Db, accountId: string, at: number): Promise<string> {
    const name = (await findPeople(handle, [accountId])).get(accountId)?.name ?? 'Somebody whose account is gone'
    return `This was scheduled by ${name} for ${formatMoment(at, timeZone)}, and was held, since the role for it ended. Look at it, then publish, send or schedule it yourself.`
  }

  async function holdPublications(tx: Tx, accountId: string, by: string): Promise<HeldItem[]> {
    const now = clock.now()
    const held: HeldItem[] = []
    for (const revision of await listScheduledBy(tx, accountId)) {
      const { kind, recordId, number, value } = revision
      const at = revision.publishAt ?? now
      const reason = await sentence(tx, accountId, at)
      const draft = { action: 'draft', savedBy: by, savedAt: now, publishAt: null, held: reason } as const
      await addRevision(tx, { ...revision, ...draft, id: newId(now), number: number + 1 })
      const subjectId = `${kind}/${recordId}`
      const details = { before: { scheduledFor: iso(at), by: accountId }, after: null }
      await writeAudit(tx, { actor: by, action: 'content.held', subjectId, details }, now)
      const title = contentForms.find((form) => form.kind === kind)?.title(value) ?? recordId
      held.push({ title, path: `/console/content/${subjectId}`, at: iso(at) })
    }
    return held
  }

  async function holdNewsletters(tx: Tx, accountId: string, by: string): Promise<HeldItem[]> {
    const now = clock.now()
    const held: HeldItem[] = []
    for (const schedule of await listSchedules(tx)) {
      if (!isAhead(schedule) || schedule.askedBy !== accountId) continue
      const { campaignId, dueAt } = schedule
      await refuseSchedule(tx, campaignId, await sentence(tx, accountId, dueAt))
      const details = { before: { scheduledFor: iso(dueAt), by: accountId }, after: null }
      await writeAudit(tx, { actor: by, action: 'newsletter.held', subjectId: campaignId, details }, now)
      const title = (await findCampaign(tx, campaignId))?.name ?? campaignId
      held.push({ title, path: `/console/newsletters/${campaignId}`, at: iso(dueAt) })
    }
    return held
  }

  async function holdRollOver(tx: Tx, accountId: string, by: string): Promise<HeldItem[]> {
    const stored = await findOpen(tx)
    if (!stored || stored.state !== 'scheduled' || stored.savedBy !== accountId || stored.runOn === null) return []
    const at = Date.parse(`${stored.runOn}T12:00:00Z`)
    const failure = [await sentence(tx, accountId, at)]
    if (!(await changeRollOver(tx, stored, { state: 'draft', run_on: null, failure }))) return []
    const details = { before: { scheduledFor: stored.runOn, by: accountId }, after: null }
    await writeAudit(tx, { actor: by, action: 'roll_over.held', subjectId: stored.id, details }, clock.now())
    return [{ title: 'The roll-over of the year', path: '/console/roll-over', at: iso(at) }]
  }

  return {
    sentence,

    async mayStill(handle, accountId, permission) {
      return WITHOUT_ROLE.has(accountId) || (await permissionsOn(handle, accountId, today())).includes(permission)
    },

    hold: (accountId, by) =>
      db.transaction().execute(async (tx) => {
        await holdContent(tx)
        const left = await permissionsOn(tx, accountId, today())
        const held: HeldItem[] = []
        if (!left.includes('content.change')) held.push(...(await holdPublications(tx, accountId, by)))
        if (!left.includes('newsletter.send')) held.push(...(await holdNewsletters(tx, accountId, by)))
        if (!left.includes('officers.change')) held.push(...(await holdRollOver(tx, accountId, by)))
        return held
      }),
  }
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
