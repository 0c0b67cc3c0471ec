import { region } from '#contract/region.ts'
import * as z from 'zod/mini'
import { valueAt, type ContentField, type ContentValue } from '#contract/console/content.ts'
import { messages } from '#contract/messages.ts'
import { formatMoney } from '#contract/money.ts'
import type { EditableKind } from '#server/features/content-store/content-kind.rules.ts'

const MAX_LENGTHS: Partial<Record<ContentField['control'], number>> = { markdown: 40_000, text: 2_000, lines: 10_000 }
const MAX_LINE_LENGTH = 300
const MAX_LIST_LENGTH = 300

// oxlint-disable-next-line no-control-regex -- databases and emails do not accept these; tabs and line feeds are allowed
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

export type ParsedValue = { value: ContentValue; problems: null } | { value: null; problems: Record<string, string> }

/**
 * Converts form input to a value of the kind, or returns a message for each invalid field. Empty values and unknown fields are dropped,
 * except for the ids of list items.
 * @param id of the record, for kinds whose value includes it
 * @param isDraft allows missing fields, except those that form the id
 */
export function parseContentValue(
  kind: EditableKind,
  input: ContentValue,
  id: string,
  { isDraft = false }: { isDraft?: boolean } = {},
): ParsedValue {
  const problems: Record<string, string> = {}
  const fields = isDraft ? kind.fields.map((field) => optional(field, kind)) : kind.fields
  const cleaned = cleanFields(fields, input, '', problems)
  if (Object.keys(problems).length > 0) return { value: null, problems }
  const whole = kind.addMissing?.(cleaned, id) ?? cleaned
  const result = z.safeParse(kind.schema, whole)
  if (result.success) return { value: result.data as ContentValue, problems: null }
  for (const issue of result.error.issues) {
    if (isDraft && partAt(whole, issue.path) === undefined) continue
    problems[issue.path.join('.')] ??= sentenceOf(issue, kind)
  }
  return isDraft && Object.keys(problems).length === 0 ? { value: whole, problems: null } : { value: null, problems }
}

/** The schema's own message, or a generic one. */
function sentenceOf(issue: z.core.$ZodIssue, kind: EditableKind): string {
  const { code, message, path } = issue
  if (/^Invalid input/.test(message)) return 'This is missing or of the wrong kind.'
  const isOurs = !/^Too (big|small)/.test(message)
  if (isOurs || (code !== 'too_big' && code !== 'too_small') || !isNumeric(issue.origin)) return capitalize(message)
  const isAmount = fieldAt(kind.fields, path)?.control === 'dollars'
  const limit = Number(code === 'too_big' ? issue.maximum : issue.minimum)
  const shown = isAmount
    ? formatMoney(limit, region().currency)
    : limit.toLocaleString('en-US', { useGrouping: limit >= 10_000 })
  return `Please enter ${isAmount ? 'an amount' : 'a number'} ${code === 'too_big' ? `up to ${shown}` : `of at least ${shown}`}`
}

function isNumeric(origin: string): boolean {
  return origin === 'number' || origin === 'int'
}

/** Finds the form field at a path of the value, such as `tiers.0.unitAmount`. */
function fieldAt(fields: readonly ContentField[], path: readonly PropertyKey[]): { control: string } | undefined {
  const group = fields.find(({ name, control }) => control === 'group' && name === path[0])
  const names = path.filter((key) => typeof key === 'string')
  if (group) return group.fields.find(({ name }) => name === names.slice(1).join('.'))
  return fields.find(({ name }) => name === names.join('.'))
}

/** Makes a field optional for drafts. The title stays required if the id of a new record is made from it. */
function optional(field: ContentField, { idFor }: EditableKind): ContentField {
  const fields = field.fields.map((inner) => ({ ...inner, isRequired: false }))
  return { ...field, fields, isRequired: field.isFixed || (idFor !== undefined && field.name === 'title') }
}

function partAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

function cleanFields(
  fields: readonly ContentField[],
  input: ContentValue,
  before: string,
  problems: Record<string, string>,
): ContentValue {
  const cleaned: ContentValue = {}
  for (const field of fields) {
    const value = cleanField(field, valueAt(input, field.name), `${before}${field.name}`, problems)
    if (value !== undefined) setAt(cleaned, field.name, value)
    else if (field.isRequired) problems[`${before}${field.name}`] ??= `Please fill in “${field.label}”`
  }
  return cleaned
}

function cleanField(field: ContentField, value: unknown, path: string, problems: Record<string, string>): unknown {
  if (field.control === 'group') return cleanGroup(field, value, path, problems)
  if (field.control === 'switch') return value === true
  if (Array.isArray(value)) {
    const list = value.map((one) => cleanText(one, field, path, problems)).filter((one) => one !== undefined)
    if (list.length > MAX_LIST_LENGTH) problems[path] = `Please keep this to ${MAX_LIST_LENGTH} lines`
    return list.length > 0 ? list.slice(0, MAX_LIST_LENGTH) : undefined
  }
  if (field.control === 'lines' || field.control === 'pictures')
    return value ? cleanField(field, [value], path, problems) : undefined
  return cleanText(value, field, path, problems)
}

/** Drops empty list items; keeps the ids of the others. */
function cleanGroup(field: ContentField, value: unknown, path: string, problems: Record<string, string>): unknown {
  const items = Array.isArray(value) ? (value as unknown[]) : []
  if (items.length > MAX_LIST_LENGTH) problems[path] = `Please add at most ${MAX_LIST_LENGTH} of these`
  const inner = field.fields.map((one) => ({ ...one, fields: [] }))
  return items.slice(0, MAX_LIST_LENGTH).flatMap((item, index) => {
    if (typeof item !== 'object' || item === null) return []
    const input = item as ContentValue
    if (!inner.some(({ name, control }) => control !== 'switch' && !isEmpty(valueAt(input, name)))) return []
    const ids = ['id', 'key'].flatMap((name) => {
      const id = input[name]
      return typeof id === 'string' && /^[a-z0-9_-]{1,100}$/i.test(id) ? [[name, id]] : []
    })
    return [{ ...Object.fromEntries(ids), ...cleanFields(inner, input, `${path}.${index}.`, problems) }]
  })
}

function cleanText(value: unknown, field: ContentField, path: string, problems: Record<string, string>): unknown {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const text = value.replaceAll(/\r\n?/g, '\n').trim()
  const isOneLine = MAX_LENGTHS[field.control] === undefined
  const maxLength = MAX_LENGTHS[field.control] ?? MAX_LINE_LENGTH
  if (CONTROL.test(text) || (isOneLine && text.includes('\n'))) problems[path] = messages.text.unreadable
  if (text.length > maxLength) problems[path] = `Please keep this under ${maxLength.toLocaleString('en-US')} characters`
  if (text === '') return undefined
  if (field.control !== 'number' && field.control !== 'dollars') return text
  if (!/^\d{1,9}$/.test(text)) problems[path] = 'Please enter a whole number'
  return Number(text)
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function setAt(value: ContentValue, name: string, part: unknown): void {
  const names = name.split('.')
  const last = names.pop() ?? ''
  let inner = value
  for (const one of names) inner = (inner[one] ??= {}) as ContentValue
  inner[last] = part
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
