import * as z from 'zod/mini'
import type { ContentField, ContentValue } from '#contract/console-content.ts'
import { messages } from '#contract/messages.ts'
import { formatMoney } from '#contract/money.ts'
import type { ContentForm } from './content-form.ts'

const LONGEST: Partial<Record<ContentField['control'], number>> = { markdown: 40_000, text: 2_000, lines: 10_000 }
const LONGEST_LINE = 300
const LONGEST_LIST = 300

// oxlint-disable-next-line no-control-regex -- no database and no letter takes these; tabs and line feeds are welcome
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

export type ReadValue = { value: ContentValue; problems: null } | { value: null; problems: Record<string, string> }

/**
 * What an officer filled in, in the shape of the content file, or a sentence for each field at fault. What is empty is left out; what the
 * form does not show is dropped, but for the ids that things in a list bring along.
 * @param id of the record, for forms whose value holds it
 * @param isDraft parts may be missing, but for those that the address is made of
 */
export function readContentValue(
  form: ContentForm,
  given: ContentValue,
  id: string,
  { isDraft = false }: { isDraft?: boolean } = {},
): ReadValue {
  const problems: Record<string, string> = {}
  const fields = isDraft ? form.fields.map((field) => optional(field, form)) : form.fields
  const tidy = tidyFields(fields, given, '', problems)
  if (Object.keys(problems).length > 0) return { value: null, problems }
  const whole = form.complete?.(tidy, id) ?? tidy
  const result = z.safeParse(form.schema, whole)
  if (result.success) return { value: result.data as ContentValue, problems: null }
  for (const issue of result.error.issues) {
    if (isDraft && partAt(whole, issue.path) === undefined) continue
    problems[issue.path.join('.')] ??= sentenceOf(issue, form)
  }
  return isDraft && Object.keys(problems).length === 0 ? { value: whole, problems: null } : { value: null, problems }
}

/** In the words of the schema, or in ours where it has none of its own. */
function sentenceOf(issue: z.core.$ZodIssue, form: ContentForm): string {
  const { code, message, path } = issue
  if (/^Invalid input/.test(message)) return 'This is missing or of the wrong kind.'
  const isOurs = !/^Too (big|small)/.test(message)
  if (isOurs || (code !== 'too_big' && code !== 'too_small') || !isNumeric(issue.origin)) return capital(message)
  const isAmount = fieldAt(form.fields, path)?.control === 'dollars'
  const limit = Number(code === 'too_big' ? issue.maximum : issue.minimum)
  const shown = isAmount ? formatMoney(limit, 'usd') : limit.toLocaleString('en-US', { useGrouping: limit >= 10_000 })
  return `Please enter ${isAmount ? 'an amount' : 'a number'} ${code === 'too_big' ? `up to ${shown}` : `from ${shown} on`}`
}

function isNumeric(origin: string): boolean {
  return origin === 'number' || origin === 'int'
}

/** The field of the form at a path of the value, such as `tiers.0.unitAmount`. */
function fieldAt(fields: readonly ContentField[], path: readonly PropertyKey[]): { control: string } | undefined {
  const group = fields.find(({ name, control }) => control === 'group' && name === path[0])
  const names = path.filter((key) => typeof key === 'string')
  if (group) return group.fields.find(({ name }) => name === names.slice(1).join('.'))
  return fields.find(({ name }) => name === names.join('.'))
}

/** As a draft asks for it. A new record is called by its title, so that stays required where there are new ones. */
function optional(field: ContentField, { idFor }: ContentForm): ContentField {
  const fields = field.fields.map((inner) => ({ ...inner, isRequired: false }))
  return { ...field, fields, isRequired: field.isFixed || (idFor !== undefined && field.name === 'title') }
}

function partAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

function tidyFields(
  fields: readonly ContentField[],
  given: ContentValue,
  before: string,
  problems: Record<string, string>,
): ContentValue {
  const tidy: ContentValue = {}
  for (const field of fields) {
    const value = tidyOne(field, valueAt(given, field.name), `${before}${field.name}`, problems)
    if (value !== undefined) setAt(tidy, field.name, value)
    else if (field.isRequired) problems[`${before}${field.name}`] ??= `Please fill in “${field.label}”`
  }
  return tidy
}

function tidyOne(field: ContentField, value: unknown, path: string, problems: Record<string, string>): unknown {
  if (field.control === 'group') return tidyGroup(field, value, path, problems)
  if (field.control === 'switch') return value === true
  if (Array.isArray(value)) {
    const list = value.map((one) => tidyText(one, field, path, problems)).filter((one) => one !== undefined)
    return list.length > 0 ? list.slice(0, LONGEST_LIST) : undefined
  }
  if (field.control === 'lines' || field.control === 'pictures')
    return value ? tidyOne(field, [value], path, problems) : undefined
  return tidyText(value, field, path, problems)
}

/** Things of a list without any words are forgotten; an id that came along stays. */
function tidyGroup(field: ContentField, value: unknown, path: string, problems: Record<string, string>): unknown {
  const things = Array.isArray(value) ? (value as unknown[]) : []
  if (things.length > LONGEST_LIST) problems[path] = `No more than ${LONGEST_LIST} of these, please`
  const inner = field.fields.map((one) => ({ ...one, fields: [] }))
  return things.slice(0, LONGEST_LIST).flatMap((thing, index) => {
    if (typeof thing !== 'object' || thing === null) return []
    const given = thing as ContentValue
    if (!inner.some(({ name, control }) => control !== 'switch' && !isEmpty(valueAt(given, name)))) return []
    const ids = ['id', 'key'].flatMap((name) => {
      const id = given[name]
      return typeof id === 'string' && /^[a-z0-9_-]{1,100}$/.test(id) ? [[name, id]] : []
    })
    return [{ ...Object.fromEntries(ids), ...tidyFields(inner, given, `${path}.${index}.`, problems) }]
  })
}

function tidyText(value: unknown, field: ContentField, path: string, problems: Record<string, string>): unknown {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const text = value.replaceAll(/\r\n?/g, '\n').trim()
  const isOneLine = LONGEST[field.control] === undefined
  const longest = LONGEST[field.control] ?? LONGEST_LINE
  if (CONTROL.test(text) || (isOneLine && text.includes('\n'))) problems[path] = messages.text.unreadable
  if (text.length > longest) problems[path] = `Please keep this under ${longest.toLocaleString('en-US')} signs`
  if (text === '') return undefined
  if (field.control !== 'number' && field.control !== 'dollars') return text
  if (!/^\d{1,9}$/.test(text)) problems[path] = 'Please enter a whole number'
  return Number(text)
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Of `address.city`. */
function valueAt(value: ContentValue, name: string): unknown {
  return name.split('.').reduce<unknown>((inner, part) => {
    const known = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, part)
    return known ? (inner as ContentValue)[part] : undefined
  }, value)
}

function setAt(value: ContentValue, name: string, part: unknown): void {
  const names = name.split('.')
  const last = names.pop() ?? ''
  let inner = value
  for (const one of names) inner = (inner[one] ??= {}) as ContentValue
  inner[last] = part
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
