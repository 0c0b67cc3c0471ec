import type { AppContext } from '#server/app-context.ts'
import { AUDIT_KIND_NAMES, type AuditEntry, type exportAudit, type listAudit } from '#contract/console/audit.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { AUDIT_ACTIONS, listAuditActions, auditActionText } from '#server/audit-log/audit-actions.rules.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { writeLongCsv } from '#server/lib/csv/csv.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { createAuditSubjects, type NamedSubject } from './audit-subjects.service.ts'
import { auditChanges, auditText } from './audit-text.rules.ts'
import { findAuditPage, listCurrentAndFormerOfficers, type AuditFilter, type AuditRow } from './audit.repository.ts'

const PAGE_SIZE = 50
const EXPORT_PAGE_SIZE = 500

/** Actors that are not accounts. */
const SYSTEMS: Record<string, string> = {
  system: 'The site',
  stripe: 'Stripe',
  webmaster: 'The webmaster',
  guest: 'A guest',
  sponsor: 'A sponsor',
}

export function createAuditService(ctx: AppContext, { content }: Parameters<typeof createAuditSubjects>[1]) {
  const { db, clock, timeZone } = ctx
  const subjects = createAuditSubjects(ctx, { content })

  /** Looks the search term up in the names of subjects: once, not for each page of an export. */
  async function filterOf({ q, person, kind, from, to }: QueryOf<typeof exportAudit>): Promise<AuditFilter> {
    const term = q?.trim() ?? ''
    return {
      searchTerm: term,
      ...(term !== '' && {
        matchingActions: actionsMentioning(term),
        matchingSubjects: await subjects.findByName(term),
      }),
      person,
      actions: kind && listAuditActions(kind),
      from: from === undefined ? undefined : startOfDay(from, timeZone),
      until: to === undefined ? undefined : startOfDay(addDays(to, 1), timeZone),
    }
  }

  async function toEntries(rows: readonly AuditRow[]): Promise<AuditEntry[]> {
    const subjectOf = await subjects.createResolver(rows)
    return rows.map((row) => {
      const details = JSON.parse(row.details) as Record<string, unknown>
      return toEntry(row, details, subjectOf(row, details))
    })
  }

  function toEntry(row: AuditRow, details: Record<string, unknown>, subject: NamedSubject): AuditEntry {
    const { namesSubject, ...text } = auditText(row.action, row.actor === row.subjectId)
    return {
      id: row.id,
      at: new Date(row.at).toISOString(),
      actor: row.actorName ?? SYSTEMS[row.actor] ?? 'A former member',
      actorPath: row.actorName === null ? null : `/console/members/${row.actor}`,
      action: row.action,
      kind: auditActionText(row.action)?.kind ?? null,
      subject: namesSubject ? subject.name : '',
      subjectPath: namesSubject ? subject.path : null,
      text,
      changes: auditChanges(details, timeZone),
      details,
    }
  }

  return {
    /** Newest first. Searches people, other subjects' names, sentences and details. */
    async page({ before, ...query }: QueryOf<typeof listAudit>): Promise<ReplyOf<typeof listAudit>> {
      const rows = await findAuditPage(db, await filterOf(query), { before, limit: PAGE_SIZE + 1 })
      const systems = ['system', 'stripe', 'webmaster'].map((id) => ({ id, name: SYSTEMS[id] ?? id }))
      return {
        entries: await toEntries(rows.slice(0, PAGE_SIZE)),
        hasMore: rows.length > PAGE_SIZE,
        people: [...(await listCurrentAndFormerOfficers(db)), ...systems],
      }
    },

    /** Returns the latest entries about one account, newest first. */
    async listForSubject(subjectId: string): Promise<AuditEntry[]> {
      return toEntries(await findAuditPage(db, { searchTerm: '', subjectId }, { limit: PAGE_SIZE }))
    },

    /** Returns these entries by id. */
    async findByIds(ids: readonly string[]): Promise<ReadonlyMap<string, AuditEntry>> {
      if (ids.length === 0) return new Map()
      const rows = await findAuditPage(db, { searchTerm: '', ids }, { limit: ids.length })
      return new Map((await toEntries(rows)).map((entry) => [entry.id, entry]))
    },

    /** Exports contain personal data, so each export is audited. */
    async export(by: Officer, query: QueryOf<typeof exportAudit>): Promise<ServedFile> {
      const filter = await filterOf(query)
      const lines: string[][] = []
      let before: string | undefined
      for (;;) {
        const rows = await findAuditPage(db, filter, { before, limit: EXPORT_PAGE_SIZE })
        for (const entry of await toEntries(rows)) lines.push(toLine(entry, timeZone))
        before = rows.at(-1)?.id
        if (rows.length < EXPORT_PAGE_SIZE) break
      }
      const details = { filter: query, entries: lines.length }
      await writeAudit(
        db,
        { actor: by.accountId, action: 'audit.exported', subjectId: by.accountId, details },
        clock.now(),
      )
      return { filename: 'audit-log.csv', content: await writeLongCsv([HEADING, ...lines]) }
    },
  }
}

export type AuditService = ReturnType<typeof createAuditService>

const HEADING = ['When', 'Who', 'What', 'Area', 'Action', 'Changes', 'Entry']

function toLine({ id, at, actor, action, kind, subject, text, changes }: AuditEntry, timeZone: string): string[] {
  return [
    formatMoment(at, timeZone),
    actor,
    `${actor} ${text.before}${subject}${text.after}.`,
    kind === null ? '' : AUDIT_KIND_NAMES[kind],
    action,
    changes
      .map(({ label, before, after }) => `${label}: ${before === null ? '' : `${before} → `}${after ?? 'none'}`)
      .join('; '),
    id,
  ]
}

/** Returns the actions whose names or sentences contain the search term, so that visible text is searchable. */
function actionsMentioning(term: string): string[] {
  const wanted = term.toLowerCase()
  return Object.entries(AUDIT_ACTIONS)
    .filter(([action, { text }]) =>
      [action, text.replaceAll('{subject}', '').toLowerCase()].some((one) => one.includes(wanted)),
    )
    .map(([action]) => action)
}
