import { region } from '#contract/region.ts'
import { ROLE_NAMES, ROLES } from '#contract/access.ts'
import type { AuditEntry } from '#contract/console/audit.ts'
import { formatLongDate, formatMoment } from '#contract/dates/dates.ts'
import { isDay, formatDay } from '#contract/dates/days.ts'
import { formatMoney } from '#contract/money.ts'
import { auditActionText } from '#server/audit-log/audit-actions.rules.ts'

const SUBJECT = '{subject}'
/** Longer values are truncated; the record's own revisions show them in full. */
const MAX_CHARACTERS = 400

/**
 * The parts of a sentence before and after the subject's name; `namesSubject` is false if the sentence has no subject.
 * Unknown actions, written by older releases, are shown by their code.
 */
export function auditText(action: string, isOwn: boolean): AuditEntry['text'] & { namesSubject: boolean } {
  const known = auditActionText(action)
  const text = (isOwn ? known?.ownText : undefined) ?? known?.text ?? `did “${action}” to ${SUBJECT}`
  const [before = '', after = ''] = text.split(SUBJECT)
  return { before, after, namesSubject: text.includes(SUBJECT) }
}

type Details = Record<string, unknown>

/** Ids of our own rows and of the provider's objects: meaningless to readers. */
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
  mergedAccount: 'Merged account',
  method: 'Method',
  npi: 'Number',
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

/** Formats the details of an entry as labeled changes. @param timeZone of the association, for timestamps */
export function auditChanges(stored: Details, timeZone: string): AuditEntry['changes'] {
  const details = pairBareValue(stored)
  const before = details['before'] ?? details['from']
  const after = details['after'] ?? details['to']
  const rest = flatten(without(details, ['before', 'after', 'from', 'to']), timeZone)
  return [
    ...differences(flattenOrValue(before, timeZone), flattenOrValue(after, timeZone)),
    ...[...rest].map(([label, text]) => ({ label, before: null, after: text })),
  ]
}

/** Entries about a term name its former end, or its former level, without saying which it is: the value beside it does. */
function pairBareValue(details: Details): Details {
  const { before, ...rest } = details
  if ('after' in details || (typeof before !== 'number' && typeof before !== 'string')) return details
  const key = typeof before === 'number' ? 'endsAt' : 'level'
  if (!(key in rest)) return details
  return { ...without(rest, [key]), before: { [key]: before }, after: { [key]: rest[key] } }
}

function differences(before: Map<string, string>, after: Map<string, string>): AuditEntry['changes'] {
  const labels = [...new Set([...before.keys(), ...after.keys()])]
  return labels
    .map((label) => ({ label, before: before.get(label) ?? null, after: after.get(label) ?? null }))
    .filter((change) => change.before !== change.after)
}

function flattenOrValue(value: unknown, timeZone: string): Map<string, string> {
  if (isRecord(value)) return flatten(value, timeZone)
  const text = formatValue('', value, timeZone)
  return text === null ? new Map() : new Map([['Value', text]])
}

/** Flattens nested values; labels are joined along the path. */
function flatten(value: Details, timeZone: string, above = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, inner] of Object.entries(value)) {
    if (HIDDEN.has(key)) continue
    const label = above ? `${above}, ${labelOf(key).toLowerCase()}` : labelOf(key)
    if (isRecord(inner)) {
      for (const [innerLabel, text] of flatten(inner, timeZone, label)) found.set(innerLabel, text)
      continue
    }
    const text = formatValue(key, inner, timeZone)
    if (text !== null) found.set(label, text)
  }
  return found
}

function formatValue(key: string, value: unknown, timeZone: string): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return formatNumber(key, value, timeZone)
  if (Array.isArray(value)) return formatList(value, timeZone)
  if (isRecord(value))
    return [...flatten(value, timeZone)].map(([label, text]) => `${label}: ${text}`).join(', ') || null
  return formatString(key, typeof value === 'string' ? value : JSON.stringify(value), timeZone)
}

function formatNumber(key: string, value: number, timeZone: string): string {
  if (/(amount|price)/i.test(key)) return formatMoney(value, region().currency)
  if (/(At|Until|Since)$|^at$/.test(key) && value > 1e11) return formatInstant(key, value, timeZone)
  return String(value)
}

/** Terms begin and end with a day: the hour in which they were entered says nothing. */
const DAYS = new Set(['endsAt', 'startedAt', 'paidAt'])

function formatInstant(key: string, value: string | number, timeZone: string): string {
  return DAYS.has(key) ? formatLongDate(value, timeZone) : formatMoment(value, timeZone)
}

function formatString(key: string, value: string, timeZone: string): string {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatInstant(key, value, timeZone)
  if (isDay(value)) return formatDay(value)
  if (/^level(Key)?$/.test(key)) return capitalize(value.replaceAll('_', ' '))
  const role = ROLES.find((one) => key === 'role' && one === value)
  if (role) return ROLE_NAMES[role]
  return value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value
}

function formatList(values: readonly unknown[], timeZone: string): string | null {
  if (values.length === 0) return null
  const texts = values.map((value) => formatValue('', value, timeZone) ?? '').filter(Boolean)
  const joined = texts.join('; ')
  return joined.length > MAX_CHARACTERS ? `${joined.slice(0, MAX_CHARACTERS)}…` : joined
}

function labelOf(key: string): string {
  const known = LABELS[key]
  if (known) return known
  const label = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
  return capitalize(label)
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function without(details: Details, keys: readonly string[]): Details {
  return Object.fromEntries(Object.entries(details).filter(([key]) => !keys.includes(key)))
}

function isRecord(value: unknown): value is Details {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
