import type { AppContext } from '#server/app-context.ts'
import { createHash } from 'node:crypto'
import { REACH_REASON_NAMES } from '#contract/console/emails/member-emails.ts'
import { dayOf, formatMoment } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { parseSender } from '#server/emails/mailer.ts'
import { renderPdf } from '#server/emails/receipt-pdf.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { csvFile, csvText, writeLongCsv } from '#server/lib/csv/csv.ts'
import { Problem } from '#server/lib/problem.ts'
import { findNamesAndEmails } from '#server/features/accounts/account.queries.ts'
import type { StoredCampaign } from '#server/features/newsletter/campaign.queries.ts'
import type { CampaignEditor } from '#server/features/newsletter/composing/campaign-editor.service.ts'
import { findMailing } from '#server/features/newsletter/sending/mailing.queries.ts'
import { findMemberEmail, type MemberEmail } from './member-email.queries.ts'
import { listRecipients, type FrozenRecipient } from './member-email.repository.ts'
import { isInWindow, windowOf } from './notice-window.rules.ts'
import { findProof, insertProof, readProof } from './proof.repository.ts'
import { topicName } from './topic-name.rules.ts'
import { countProofResults, PROOF_RESULT_NAMES, proofResult } from './proof.rules.ts'

/** Proofs that an email to members was sent: sealed once, then unchanged whatever happens to templates, addresses and accounts. */
export function createProofService(
  { db, clock, timeZone, association, config, settings, cache }: AppContext,
  { editor }: { editor: Pick<CampaignEditor, 'requireCampaign'> },
) {
  const { domain } = parseSender(config.mail.from)

  function csvLine(recipient: FrozenRecipient): string[] {
    const { firstName, lastName, reason, postedOn, copy } = recipient
    return [
      lastName,
      firstName,
      PROOF_RESULT_NAMES[proofResult(recipient)],
      copy?.email ?? '',
      copy?.finishedAt ? new Date(copy.finishedAt).toISOString() : '',
      copy ? `<${copy.id}@${domain}>` : '',
      copy?.reason ?? (reason === null ? '' : REACH_REASON_NAMES[reason]),
      postedOn ?? '',
    ]
  }

  async function render(
    campaign: StoredCampaign,
    email: MemberEmail,
    {
      recipients,
      list,
      startedAt,
      sealedAt,
      sealedBy,
    }: {
      recipients: readonly FrozenRecipient[]
      list: string
      startedAt: number
      sealedAt: number
      sealedBy: string
    },
  ): Promise<Uint8Array> {
    const times = recipients.flatMap(({ copy }) =>
      copy?.state === 'accepted' && copy.finishedAt !== null ? [copy.finishedAt] : [],
    )
    const moment = (at: number | undefined) => (at === undefined ? 'None' : formatMoment(at, timeZone))
    const window = windowOf(email, settings().notices)
    const isOutside = window !== null && !isInWindow(dayOf(startedAt, timeZone), window)
    const details: [string, string][] = [
      ['Subject', campaign.subject],
      ['Kind', topicName(cache.content().emailTopics, email.topic)],
      ...(window ? [['Meeting', `${formatDay(window.meetingOn)} (${window.meetingKind})`] as [string, string]] : []),
      ['People on the list', String(recipients.length)],
      ...countProofResults(recipients).map(([result, count]): [string, string] => [
        PROOF_RESULT_NAMES[result],
        String(count),
      ]),
      ['First email accepted', moment(minimum(times))],
      ['Last email accepted', moment(maximum(times))],
      ...(isOutside ? [['Sent outside the time for notices', email.windowReason ?? ''] as [string, string]] : []),
      ['Sealed', `${moment(sealedAt)} by ${sealedBy}`],
      ['SHA-256 of the email (HTML)', email.htmlDigest ?? ''],
      ['SHA-256 of the email (text)', email.textDigest ?? ''],
      ['SHA-256 of the list of recipients', sha256(csvFile(list))],
    ]
    const notes = [
      'The list of recipients is a CSV file of its own. Each line names a person on the list when sending began, the result of the email, and its Message-ID. The list belongs to this proof if its SHA-256 is the one above.',
      `The text, without each recipient’s own links:`,
      ...campaign.text.split(/\n{2,}/).map((paragraph) => paragraph.trim()),
    ]
    return renderPdf(
      {
        title: `Proof of sending: ${campaign.subject}`,
        heading: 'Proof of sending',
        createdAt: sealedAt,
        details,
        notes,
      },
      await association(),
    )
  }

  async function requireProof(id: string) {
    await editor.requireCampaign(id)
    const proof = await readProof(db, id)
    if (!proof) throw new Problem('NOT_FOUND')
    return proof
  }

  async function auditExport(by: Officer, id: string, as: string) {
    const entry = {
      actor: by.accountId,
      action: 'member_email.proof-exported',
      subjectId: id,
      details: { as },
    } as const
    await writeAudit(db, entry, clock.now())
  }

  return {
    /** Idempotent: a sealed proof stays as it is. @throws Problem NOT_FOUND before it is sent, STILL_SENDING */
    async seal(by: Officer, id: string): Promise<void> {
      const campaign = await editor.requireCampaign(id)
      const [email, mailing] = [await findMemberEmail(db, id), await findMailing(db, id)]
      if (!email || !mailing) throw new Problem('NOT_FOUND')
      if (await findProof(db, id)) return
      if (mailing.state !== 'finished') throw new Problem('STILL_SENDING')
      const sealedAt = clock.now()
      const recipients = await listRecipients(db, id)
      const heading = ['Last name', 'First name', 'Result', 'Email', 'At', 'Message-ID', 'Reason', 'Posted on']
      const list = csvText(await writeLongCsv([heading, ...recipients.map(csvLine)]))
      const sealedBy = (await findNamesAndEmails(db, [by.accountId])).get(by.accountId)?.name ?? by.name
      const pdf = await render(campaign, email, {
        recipients,
        list,
        startedAt: mailing.startedAt,
        sealedAt,
        sealedBy,
      })
      await db.transaction().execute(async (tx) => {
        const proof = { campaignId: id, sealedAt, sealedBy: by.accountId, recipients: list }
        if (!(await insertProof(tx, { ...proof, pdf: Buffer.from(pdf).toString('base64') }))) return
        const entry = { actor: by.accountId, action: 'member_email.sealed', subjectId: id } as const
        await writeAudit(tx, { ...entry, details: { after: { digest: sha256(csvFile(list)) } } }, sealedAt)
      })
    },

    /** @throws Problem NOT_FOUND before it is sealed */
    async pdf(by: Officer, id: string): Promise<ServedFile> {
      const { pdf } = await requireProof(id)
      await auditExport(by, id, 'PDF')
      return { filename: `proof-${id}.pdf`, content: Buffer.from(pdf, 'base64') }
    },

    /** @throws Problem NOT_FOUND before it is sealed */
    async list(by: Officer, id: string): Promise<ServedFile> {
      const { recipients } = await requireProof(id)
      await auditExport(by, id, 'list')
      return { filename: `recipients-${id}.csv`, content: csvFile(recipients) }
    },
  }
}

export type ProofService = ReturnType<typeof createProofService>

/** The digest that a proof names, as `sha256sum` prints it. */
function sha256(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex')
}

function minimum(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((one, other) => Math.min(one, other))
}

function maximum(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((one, other) => Math.max(one, other))
}
