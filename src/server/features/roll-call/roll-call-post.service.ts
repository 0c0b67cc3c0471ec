import type { AppContext } from '#server/app-context.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import { type PostalAddress, recordLines } from '#contract/member-record/record-values.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { renderLettersPdf } from '#server/emails/pdf/post-pdf.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeLongCsv } from '#server/lib/csv/csv.ts'
import { Problem } from '#server/lib/problem.ts'
import type { MemberAudiences } from '#server/features/member-email/audience.service.ts'
import { labelRows } from '#server/features/member-email/post-pile.rules.ts'
import { findRollCall } from './roll-call.queries.ts'
import { listAsked } from './roll-call.repository.ts'

/** What is posted to members who are silent in a roll call: to those whose postal address officers may see. */
export function createRollCallPost(
  { db, clock, timeZone, siteUrl, association }: AppContext,
  { audiences }: { audiences: Pick<MemberAudiences, 'listPostalAddresses'> },
) {
  async function requireSilent(id: string): Promise<{ name: string; address: PostalAddress }[]> {
    if (!(await findRollCall(db, id))) throw new Problem('NOT_FOUND')
    const silent = (await listAsked(db, id, { part: 'silent', page: null })).filter(
      ({ deactivatedBy }) => deactivatedBy === null,
    )
    const addresses = await audiences.listPostalAddresses(
      db,
      silent.map(({ accountId, levelKey }) => ({ id: accountId, levelKey })),
    )
    const found = silent.flatMap(({ accountId, firstName, lastName }) => {
      const address = addresses.get(accountId)
      return address ? [{ name: `${firstName} ${lastName}`, address }] : []
    })
    if (found.length === 0) throw new Problem('NOTHING_TO_POST')
    return found
  }

  async function audit(by: Officer, id: string, after: Record<string, unknown>): Promise<void> {
    const entry = { actor: by.accountId, action: 'roll_call.post_exported', subjectId: id, details: { after } } as const
    await writeAudit(db, entry, clock.now())
  }

  return {
    /** @throws Problem NOT_FOUND, NOTHING_TO_POST */
    async file(by: Officer, id: string): Promise<ServedFile> {
      const letters = await requireSilent(id)
      const now = clock.now()
      const sender = await association()
      const content = await renderLettersPdf(
        {
          title: 'Are you still here?',
          date: formatLongDate(now, timeZone),
          text: [
            'Dear member,',
            `once a year we ask our members whether we still reach them, and we have not heard from you. Please tell us that you are still here: log in and open ${siteUrl}/still-here, email ${sender.email}, or return this page with your current address and email address.`,
            'Your membership stays as it is, whether you answer or not.',
            sender.name,
          ].join('\n\n'),
          createdAt: now,
          addresses: letters.map(({ name, address }) => [name, ...recordLines(address)]),
        },
        sender,
      )
      await audit(by, id, { people: letters.length, as: 'PDF' })
      return { filename: `roll-call-${dayOf(now, timeZone)}.pdf`, content }
    },

    /** @throws as `file` does */
    async labels(by: Officer, id: string): Promise<ServedFile> {
      const letters = await requireSilent(id)
      const content = await writeLongCsv(labelRows(letters))
      await audit(by, id, { people: letters.length, as: 'labels' })
      return { filename: `labels-${dayOf(clock.now(), timeZone)}.csv`, content }
    },
  }
}

export type RollCallPost = ReturnType<typeof createRollCallPost>
