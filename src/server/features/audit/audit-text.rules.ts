import { ROLE_NAMES, ROLES } from '#contract/access.ts'
import type { AuditEntry } from '#contract/console-audit.ts'
import { formatMoment } from '#contract/dates.ts'
import { isDay, writeDay } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'
import { auditActionText } from '#server/platform/audit-actions.rules.ts'

const SUBJECT = '{subject}'
/** Longer values are cut on the screen; the record's own history shows them whole. */
const MOST_CHARACTERS = 400

/** The two halves of a sentence around the subject's name; `namesSubject` is false where the sentence names nothing. Actions of older releases are named by their code. */
export function auditText(action: string, isOwn: boolean): AuditEntry['text'] & { namesSubject: boolean } {
  const known = auditActionText(action)
  const text = (isOwn ? known?.own : undefined) ?? known?.text ?? `did “${action}” to ${SUBJECT}`
  const [before = '', after = ''] = text.split(SUBJECT)
  return { before, after, namesSubject: text.includes(SUBJECT) }
}

type Details = Record<string, unknown>

/** Ids of our own rows and of the provider's objects: they say nothing to a reader. */
const HIDDEN = new Set([
  'batch',
  'checkout',
  'credential',
  'id',
  'invoice',
  'letter',
  'membership',
  'merge',
  'mergedInto',
  'moved',
  'payment',
  'version',
  'view',
])

const LABELS: Record<string, string> = {
  alt: 'Description',
  amount: 'Amount',
  amountRefunded: 'Refunded',
  arrived: 'Arrived',
  cancelAtPeriodEnd: 'Ends with the paid period',
  choice: 'Filter',
  endsAt: 'Ends',
  endsOn: 'Last day',
  evidence: 'Evidence',
  evidenceKind: 'Kind of evidence',
  firstName: 'First name',
  isOnSale: 'On sale',
  lastName: 'Last name',
  level: 'Level',
  levelKey: 'Level',
  lines: 'Lines',
  members: 'Members',
  method: 'Method',
  npi: 'NPI',
  paid: 'Paid by',
  paidAt: 'Received on',
  pastDueSince: 'Past due since',
  place: 'Status',
  receipt: 'Receipt',
  receiptNumber: 'Receipt',
  recipients: 'Recipients',
  renewalAmount: 'Renewal amount',
  startedAt: 'Started',
  startsOn: 'First day',
  words: 'Text',
}

/** What an entry's details say, in words. @param timeZone of the association, for moments */
export function auditChanges(details: Details, timeZone: string): AuditEntry['changes'] {
  const before = details['before'] ?? details['from']
  const after = details['after'] ?? details['to']
  const rest = flat(without(details, ['before', 'after', 'from', 'to']), timeZone)
  return [
    ...differences(flatOrValue(before, timeZone), flatOrValue(after, timeZone)),
    ...[...rest].map(([label, text]) => ({ label, before: null, after: text })),
  ]
}

function differences(before: Map<string, string>, after: Map<string, string>): AuditEntry['changes'] {
  const labels = [...new Set([...before.keys(), ...after.keys()])]
  return labels
    .map((label) => ({ label, before: before.get(label) ?? null, after: after.get(label) ?? null }))
    .filter((change) => change.before !== change.after)
}

function flatOrValue(value: unknown, timeZone: string): Map<string, string> {
  if (isRecord(value)) return flat(value, timeZone)
  const text = write('', value, timeZone)
  return text === null ? new Map() : new Map([['Value', text]])
}

/** Nested values by the labels of their path. */
function flat(value: Details, timeZone: string, above = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, inner] of Object.entries(value)) {
    if (HIDDEN.has(key)) continue
    const label = above ? `${above}, ${labelOf(key).toLowerCase()}` : labelOf(key)
    if (isRecord(inner)) {
      for (const [innerLabel, text] of flat(inner, timeZone, label)) found.set(innerLabel, text)
      continue
    }
    const text = write(key, inner, timeZone)
    if (text !== null) found.set(label, text)
  }
  return found
}

function write(key: string, value: unknown, timeZone: string): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return writeNumber(key, value, timeZone)
  if (Array.isArray(value)) return writeList(value, timeZone)
  if (isRecord(value)) return [...flat(value, timeZone)].map(([label, text]) => `${label}: ${text}`).join(', ') || null
  return writeString(key, typeof value === 'string' ? value : JSON.stringify(value), timeZone)
}

function writeNumber(key: string, value: number, timeZone: string): string {
  if (/(amount|price)/i.test(key)) return formatMoney(value, 'usd')
  if (/(At|Until|Since)$|^at$/.test(key) && value > 1e11) return formatMoment(value, timeZone)
  return String(value)
}

function writeString(key: string, value: string, timeZone: string): string {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatMoment(value, timeZone)
  if (isDay(value)) return writeDay(value)
  if (/^level(Key)?$/.test(key)) return value.replaceAll('_', ' ')
  const role = ROLES.find((one) => key === 'role' && one === value)
  if (role) return ROLE_NAMES[role]
  return value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)}…` : value
}

function writeList(values: readonly unknown[], timeZone: string): string | null {
  if (values.length === 0) return null
  const texts = values.map((value) => write('', value, timeZone) ?? '').filter(Boolean)
  const joined = texts.join('; ')
  return joined.length > MOST_CHARACTERS ? `${joined.slice(0, MOST_CHARACTERS)}…` : joined
}

function labelOf(key: string): string {
  const known = LABELS[key]
  if (known) return known
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function without(details: Details, keys: readonly string[]): Details {
  return Object.fromEntries(Object.entries(details).filter(([key]) => !keys.includes(key)))
}

function isRecord(value: unknown): value is Details {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
