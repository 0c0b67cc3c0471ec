import type { Kysely } from 'kysely'
import type { AuditEntry } from '#contract/console.ts'
import type { Schema } from '#server/db/schema.ts'
import { findAuditPage, type AuditRow } from './audit.repository.ts'

const PAGE_SIZE = 50

const ACTORS: Record<string, string> = { stripe: 'Stripe', system: 'The site', webmaster: 'The webmaster' }

export interface AuditService {
  /** Newest first; `before` is the id of the last entry seen. `q` is looked for in actions, people and details. */
  page(asked: {
    q?: string | undefined
    before?: string | undefined
  }): Promise<{ entries: AuditEntry[]; hasMore: boolean }>
  /** What was done to somebody, newest first; the last ones. */
  about(subjectId: string): Promise<AuditEntry[]>
}

export function createAuditService({ db }: { db: Kysely<Schema> }): AuditService {
  return {
    async page({ q, before }) {
      const rows = await findAuditPage(db, { words: q?.trim() ?? '', before, limit: PAGE_SIZE + 1 })
      return { entries: rows.slice(0, PAGE_SIZE).map(toEntry), hasMore: rows.length > PAGE_SIZE }
    },

    async about(subjectId) {
      return (await findAuditPage(db, { words: '', limit: PAGE_SIZE, subjectId })).map(toEntry)
    },
  }
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    actor: row.actorName ?? ACTORS[row.actor] ?? row.actor,
    action: row.action,
    subject: row.subjectName ?? row.subjectId,
    details: JSON.parse(row.details) as Record<string, unknown>,
  }
}
