import type { AppContext } from '#server/app-context.ts'
import type { ChangedText, EmailWording, EmailWordingLine } from '#contract/console/emails/email-wordings.ts'
import type { Db } from '#server/db/database.ts'
import type { EmailDefinition } from '#server/emails/define-email.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { placeholdersOf } from '#server/emails/words.rules.ts'
import { editableTexts, rewordSource, wordingProblem } from '#server/emails/wording.rules.ts'
import type { Officer } from '#server/http/serve.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { findRecord } from '#server/features/content-store/content.queries.ts'
import { incrementContentVersion, lockContent } from '#server/features/content-store/content.commands.ts'
import { emailWordingKind, type EmailWordingValue } from '#server/features/content-store/kinds/email-wording.kinds.ts'
import { findRevision, listRevisions, recordVersion } from '#server/features/content/content-revision.queries.ts'
import type { BulkContentEditor } from '#server/features/content/record-writer.service.ts'
import { sendWordingTest } from './wording-test.emails.ts'

/** What the registry says about an email. */
export type WordedEmail = Pick<EmailDefinition, 'kind' | 'name' | 'isFixed' | 'isAboutSecurity' | 'samples'>

const SAMPLE_NAME = 'Anagha'
const REVISIONS_SHOWN = 20
const { kind: KIND } = emailWordingKind

/** Changes the wording of automatic emails. Methods on one throw Problem NOT_FOUND. */
export function createEmailWordings(
  { db, clock, association, wakeOutbox }: AppContext,
  { content, emails }: { content: BulkContentEditor; emails: readonly WordedEmail[] },
) {
  const changeable = emails.filter(({ isFixed }) => !isFixed)

  function requireEmail(id: string): WordedEmail {
    const email = changeable.find(({ kind }) => wordingId(kind) === id)
    if (!email) throw new Problem('NOT_FOUND')
    return email
  }

  /** The texts of all variants, each once. A text may use the values that all of its variants have. */
  async function describe(email: WordedEmail): Promise<Pick<EmailWording, 'samples' | 'texts'>> {
    const variants = Object.entries(email.samples(SAMPLE_NAME, await association()))
    const texts: EmailWording['texts'] = []
    for (const [label, { source }] of variants) {
      for (const { part, original, placeholders } of source ? editableTexts(source) : []) {
        // The notes of such emails say what to do if someone else caused them.
        if (email.isAboutSecurity && part === 'note') continue
        const known = texts.find((one) => one.part === part && one.original === original)
        if (known) {
          known.samples.push(label)
          known.placeholders = known.placeholders.filter((name) => placeholders.includes(name))
          continue
        }
        const required = email.isAboutSecurity ? placeholdersOf(original) : []
        texts.push({ part, original, text: original, placeholders, required, samples: [label] })
      }
    }
    return { samples: variants.map(([label]) => label), texts }
  }

  async function render(
    id: string,
    { texts, sample }: { texts: readonly ChangedText[]; sample: string },
  ): Promise<Email> {
    const email = requireEmail(id).samples(SAMPLE_NAME, await association())[sample]
    if (!email?.source) throw new Problem('NOT_FOUND')
    return renderEmail(rewordSource(email.source, texts), email.source.association)
  }

  /** @throws Problem INVALID_INPUT with a message for each text, by its place in the request */
  async function requireUsable(email: WordedEmail, changes: readonly ChangedText[]): Promise<void> {
    const { texts } = await describe(email)
    const problems = changes.flatMap((change, index) => {
      const known = texts.find(({ part, original }) => part === change.part && original === change.original)
      const problem = known ? wordingProblem(change, known) : 'The original of this text has changed. Please reload.'
      return problem === null ? [] : [[`texts.${index}.text`, problem]]
    })
    if (problems.length > 0) throw new Problem('INVALID_INPUT', { fields: Object.fromEntries(problems) })
  }

  async function read(id: string): Promise<EmailWording> {
    const email = requireEmail(id)
    const [{ samples, texts }, record, revisions] = await Promise.all([
      describe(email),
      content.findRecordState(db, content.requireKind(KIND), id),
      listRevisions(db, { kind: KIND, id }, REVISIONS_SHOWN),
    ])
    const changes = changesOf(record.published)
    const isUsed = ({ part, original }: ChangedText) =>
      texts.some((one) => one.part === part && one.original === original)
    return {
      id,
      name: email.name,
      version: recordVersion(record),
      samples,
      texts: texts.map((one) => ({ ...one, text: changeOf(changes, one)?.text ?? one.original })),
      unused: changes.filter((change) => !isUsed(change)),
      revisions: revisions.map(({ number, savedAt, name, value }) => ({
        number,
        at: new Date(savedAt).toISOString(),
        by: name ?? 'The webmaster',
        changed: changesOf(value).length,
      })),
    }
  }

  async function publish(officer: Officer, id: string, texts: readonly ChangedText[], version: string): Promise<void> {
    const { name } = requireEmail(id)
    await db.transaction().execute(async (tx) => {
      await lockContent(tx)
      const record = await content.findRecordState(tx, content.requireKind(KIND), id)
      if (recordVersion(record) !== version) throw new Problem('CHANGED_MEANWHILE')
      await content.publish(tx, officer.accountId, { kind: KIND, id }, { id, name, texts: [...texts] })
      await incrementContentVersion(tx)
    })
  }

  return {
    read,
    render,

    async list(): Promise<EmailWordingLine[]> {
      const lines = changeable.map(async (email) => {
        const id = wordingId(email.kind)
        const [{ samples, texts }, changes] = await Promise.all([describe(email), findWording(db, email.kind)])
        const used = changes.filter((change) => texts.some((text) => changeOf([change], text)))
        const [sample = ''] = samples
        const { subject } = await render(id, { texts: changes, sample })
        return { id, name: email.name, subject, changed: used.length, unused: changes.length - used.length }
      })
      return (await Promise.all(lines)).sort((a, b) => a.name.localeCompare(b.name))
    },

    /** No texts reset the email to its original. @throws Problem INVALID_INPUT, CHANGED_MEANWHILE */
    async save(
      officer: Officer,
      id: string,
      { texts, version }: { texts: readonly ChangedText[]; version: string },
    ): Promise<EmailWording> {
      const changes = texts
        .filter(({ original, text }) => text.trim() !== original)
        .map((change) => ({ ...change, text: change.text.replaceAll('\r\n', '\n').trim() }))
      await requireUsable(requireEmail(id), changes)
      await publish(officer, id, changes, version)
      return read(id)
    },

    /** @throws Problem INVALID_INPUT if the version's texts can no longer be used, CHANGED_MEANWHILE */
    async restore(
      officer: Officer,
      id: string,
      { number, version }: { number: number; version: string },
    ): Promise<EmailWording> {
      const email = requireEmail(id)
      const former = await findRevision(db, { kind: KIND, id, number })
      if (!former) throw new Problem('NOT_FOUND')
      const changes = changesOf(former.value)
      await requireUsable(email, changes)
      await publish(officer, id, changes, version)
      return read(id)
    },

    async sendTest(
      officer: Officer,
      id: string,
      { texts, sample }: { texts: ChangedText[]; sample: string },
    ): Promise<string> {
      await requireUsable(requireEmail(id), texts)
      await render(id, { texts, sample })
      const payload = { id, texts, sample, email: officer.email }
      await addToOutbox(db, { effect: sendWordingTest, payload }, clock.now())
      wakeOutbox()
      return officer.email
    },
  }
}

export type EmailWordings = ReturnType<typeof createEmailWordings>

/** The texts of a kind of email that officers changed. */
export async function findWording(db: Db, kind: string): Promise<ChangedText[]> {
  const record = await findRecord(db, emailWordingKind, wordingId(kind))
  return changesOf(record?.value ?? null)
}

function wordingId(kind: string): string {
  return kind.replace(/^email\./, '').replaceAll('_', '-')
}

function changesOf(value: object | null): ChangedText[] {
  return (value as EmailWordingValue | null)?.texts ?? []
}

function changeOf(changes: readonly ChangedText[], { part, original }: Pick<ChangedText, 'part' | 'original'>) {
  return changes.find((one) => one.part === part && one.original === original)
}
