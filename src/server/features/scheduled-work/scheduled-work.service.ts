import type { AppContext } from '#server/app-context.ts'
import type { Permission } from '#contract/access.ts'
import type { HeldItem } from '#contract/console/console.ts'
import { dayOf, formatMoment } from '#contract/dates/dates.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { findNamesAndEmails } from '#server/features/accounts/account.queries.ts'
import { lockContent } from '#server/features/content-store/content.commands.ts'
import { editableKinds } from '#server/features/content-store/content-kinds.registry.ts'
import { addRevision } from '#server/features/content/content-revision.commands.ts'
import { listScheduledBy } from '#server/features/content/content-revision.queries.ts'
import { permissionToSend } from '#server/features/member-email/member-email.queries.ts'
import { findCampaign } from '#server/features/newsletter/campaign.queries.ts'
import { AUDIT_SUBJECTS } from '#server/features/newsletter/campaign.rules.ts'
import { isSchedulePending, listSchedules } from '#server/features/newsletter/composing/draft.queries.ts'
import { rejectSchedule } from '#server/features/newsletter/composing/draft.commands.ts'
import { changeRollOver } from '#server/features/year-rollover/roll-over.commands.ts'
import { findOpenRollOver } from '#server/features/year-rollover/roll-over.queries.ts'
import { permissionsOn } from '#server/features/officers/role-permissions.queries.ts'

/** Actors without a role. */
const WITHOUT_ROLE = new Set(['webmaster', 'system'])

/** Scheduled work needs the role of the officer who scheduled it until it runs; otherwise it is held. */
export function createHeldWork({ db, clock, timeZone }: AppContext) {
  const today = () => dayOf(clock.now(), timeZone)

  async function sentence(handle: Db, accountId: string, at: number): Promise<string> {
    const name = (await findNamesAndEmails(handle, [accountId])).get(accountId)?.name ?? 'A former member'
    return `${name} scheduled this for ${formatMoment(at, timeZone)}. It was held because the role for it had ended. Review it, then publish, send or schedule it yourself.`
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
      const title = editableKinds.find((one) => one.kind === kind)?.title(value) ?? recordId
      held.push({ title, path: `/console/content/${subjectId}`, at: iso(at) })
    }
    return held
  }

  /** Newsletters and emails to members. */
  async function holdMailings(
    tx: Tx,
    { accountId, by, permissions }: { accountId: string; by: string; permissions: readonly Permission[] },
  ): Promise<HeldItem[]> {
    const now = clock.now()
    const held: HeldItem[] = []
    for (const schedule of await listSchedules(tx)) {
      if (!isSchedulePending(schedule) || schedule.askedBy !== accountId) continue
      const { campaignId, dueAt } = schedule
      if (permissions.includes(await permissionToSend(tx, campaignId))) continue
      const campaign = await findCampaign(tx, campaignId)
      const recipients = campaign?.recipients ?? 'subscribers'
      await rejectSchedule(tx, campaignId, await sentence(tx, accountId, dueAt))
      const details = { before: { scheduledFor: iso(dueAt), by: accountId }, after: null }
      await writeAudit(
        tx,
        { actor: by, action: `${AUDIT_SUBJECTS[recipients]}.held`, subjectId: campaignId, details },
        now,
      )
      held.push({
        title: campaign?.name ?? campaignId,
        path: `/console/${recipients === 'members' ? 'member-emails' : 'newsletter'}/${campaignId}`,
        at: iso(dueAt),
      })
    }
    return held
  }

  async function holdRollOver(tx: Tx, accountId: string, by: string): Promise<HeldItem[]> {
    const stored = await findOpenRollOver(tx)
    if (!stored || stored.state !== 'scheduled' || stored.savedBy !== accountId || stored.runOn === null) return []
    const at = Date.parse(`${stored.runOn}T12:00:00Z`)
    const failure = [await sentence(tx, accountId, at)]
    if (!(await changeRollOver(tx, stored, { state: 'draft', runOn: null, failure }))) return []
    const details = { before: { scheduledFor: stored.runOn, by: accountId }, after: null }
    await writeAudit(tx, { actor: by, action: 'roll_over.held', subjectId: stored.id, details }, clock.now())
    return [{ title: 'The roll-over to the new year', path: '/console/roll-over', at: iso(at) }]
  }

  return {
    /** Returns a sentence that says why scheduled work did not run. */
    reason: sentence,

    /** Whether an account still has the permission for what it scheduled; always true for the webmaster and the site. */
    async isStillAllowed(handle: Db, accountId: string, permission: Permission): Promise<boolean> {
      return WITHOUT_ROLE.has(accountId) || (await permissionsOn(handle, accountId, today())).includes(permission)
    },

    /**
     * Holds everything this person scheduled and no longer has permission for. Call it after a role or an account has
     * ended. If the process dies before, nothing is lost: the role is checked again when the work is due.
     * @param by who ended the role or account
     */
    holdScheduled: (accountId: string, by: string): Promise<HeldItem[]> =>
      db.transaction().execute(async (tx) => {
        await lockContent(tx)
        const permissions = await permissionsOn(tx, accountId, today())
        const held: HeldItem[] = []
        if (!permissions.includes('content.change')) held.push(...(await holdPublications(tx, accountId, by)))
        held.push(...(await holdMailings(tx, { accountId, by, permissions })))
        if (!permissions.includes('officers.change')) held.push(...(await holdRollOver(tx, accountId, by)))
        return held
      }),
  }
}

export type HeldWork = ReturnType<typeof createHeldWork>

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
