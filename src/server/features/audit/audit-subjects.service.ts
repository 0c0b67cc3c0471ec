import type { AppContext } from '#server/app-context.ts'
import { formatDay } from '#contract/dates/days.ts'
import { auditActionText } from '#server/audit-log/audit-actions.rules.ts'
import type { AuditSubject } from '#server/audit-log/audit-action-text.rules.ts'
import {
  findSubjectNames,
  findSubjectsByName,
  MOST_NAMED,
  STORED_SUBJECTS,
  type NamedSubjects,
  type StoredSubject,
} from './audit-subjects.repository.ts'
import type { AuditRow } from './audit.repository.ts'

export interface NamedSubject {
  name: string
  /** The subject's console page; null if there is none or it was deleted. */
  path: string | null
}

const PATHS: Partial<Record<AuditSubject, (id: string) => string>> = {
  account: (id) => `/console/members/${id}`,
  content: (id) =>
    id.startsWith('emails/') ? `/console/email-texts/${id.slice('emails/'.length)}` : `/console/content/${id}`,
  contentImport: (id) => `/console/content-imports/${id}`,
  day: (id) => `/console/run-of-show/${id}`,
  document: (id) => `/console/documents/${id.split('/')[0]}`,
  event: (id) => `/console/rsvp/${id}`,
  import: (id) => `/console/member-imports/${id}`,
  level: (id) => `/console/dues/${id}`,
  memberEmail: (id) => `/console/member-emails/${id}`,
  message: (id) => `/console/messages/${id}`,
  newsletter: (id) => `/console/newsletter/${id}`,
}

/** Shown for deleted subjects whose audit entry does not contain their name. */
const DELETED: Record<AuditSubject, string> = {
  account: 'a former member',
  content: 'a deleted record',
  contentImport: 'a file',
  coupon: '(deleted)',
  day: 'a day',
  document: '(deleted)',
  event: '(deleted)',
  import: 'a file',
  level: '(deleted)',
  message: 'a sender whose message was deleted',
  memberEmail: '(deleted)',
  newsletter: '(deleted)',
  none: '',
  picture: '(deleted)',
  rsvp: 'a guest whose RSVP was deleted',
  rsvpOrder: 'a guest whose order was deleted',
  sponsorship: 'a sponsor',
  subscriber: 'an address',
  template: '(deleted)',
}

/** Resolves the subjects of audit entries, in one query per kind of subject, and finds them by name. */
export function createAuditSubjects(
  { db }: AppContext,
  {
    content,
  }: {
    content: {
      /** Returns the label of a content kind and the titles of its records by id. */
      titles(kind: string): Promise<{ label: string; titles: Map<string, string> }>
      /** Returns the keys of records whose titles or labels contain the text, such as 'news/gala-2027'; newest first. */
      findKeys(text: string): Promise<string[]>
    }
  },
) {
  /** @param keys kind and id of each record, e.g. 'news/gala-2027' */
  async function contentNames(keys: readonly string[]): Promise<Map<string, string>> {
    const names = new Map<string, string>()
    for (const kind of new Set(keys.map((key) => key.split('/')[0] ?? ''))) {
      const { label, titles } = await content.titles(kind)
      for (const key of keys.filter((one) => one.startsWith(`${kind}/`))) {
        const title = titles.get(key.slice(kind.length + 1))
        names.set(key, title && title !== label ? `“${title}” (${label})` : label)
      }
    }
    return names
  }

  async function namesOfKind(subject: AuditSubject, ids: readonly string[]): Promise<Map<string, string>> {
    if (subject === 'content') return contentNames(ids)
    return isStored(subject) ? findSubjectNames(db, subject, ids) : new Map<string, string>()
  }

  return {
    /** Finds the subjects, other than people, whose names contain the text. */
    async findByName(text: string): Promise<NamedSubjects> {
      const { ids, eventIds } = await findSubjectsByName(db, text)
      const keys = await content.findKeys(text)
      return { ids: [...ids, ...keys.slice(0, MOST_NAMED)], eventIds }
    },

    /** @returns a function that names the subject of each of these rows */
    async createResolver(
      rows: readonly AuditRow[],
    ): Promise<(row: AuditRow, details: Record<string, unknown>) => NamedSubject> {
      const ids = new Map<AuditSubject, Set<string>>()
      for (const { action, subjectId } of rows) {
        const subject = auditActionText(action)?.subject
        if (subject) ids.set(subject, (ids.get(subject) ?? new Set()).add(subjectId))
      }
      const names = new Map<AuditSubject, Map<string, string>>()
      for (const [subject, some] of ids) names.set(subject, await namesOfKind(subject, [...some]))

      return (row, details) => {
        const subject = auditActionText(row.action)?.subject ?? 'none'
        const found = subject === 'account' ? row.subjectName : names.get(subject)?.get(row.subjectId)
        const isThere = (found ?? null) !== null || ['contentImport', 'day', 'import'].includes(subject)
        return {
          name: found ?? nameInEntry(subject, row, details),
          path: isThere ? (PATHS[subject]?.(row.subjectId) ?? null) : null,
        }
      }
    },
  }
}

function isStored(subject: AuditSubject): subject is StoredSubject {
  return (STORED_SUBJECTS as readonly AuditSubject[]).includes(subject)
}

/** Returns the name stored in the entry itself. */
function nameInEntry(subject: AuditSubject, { subjectId }: AuditRow, details: Record<string, unknown>): string {
  if (subject === 'account') return DELETED.account
  if (subject === 'day') return formatDay(subjectId)
  if (subject === 'picture' || subject === 'document') return subjectId.split('/').at(-1) ?? subjectId
  if (subject === 'none') return subjectId
  for (const holder of [details['after'], details['before'], details]) {
    if (typeof holder !== 'object' || holder === null) continue
    for (const key of ['title', 'name', 'code', 'filename', 'email']) {
      const name = (holder as Record<string, unknown>)[key]
      if (typeof name === 'string' && name !== '') return name
    }
  }
  return DELETED[subject]
}
