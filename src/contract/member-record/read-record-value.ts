import * as z from 'zod/mini'
import { isDay } from '../dates/calendar-day.ts'
import { blankLineField } from '../fields.ts'
import { messages } from '../messages.ts'
import type { RecordField } from './record-fields.ts'
import { recordLimits, recordLines, type RecordValue } from './record-values.ts'

/** A checked value, null for none; or the messages, by the part of an address, '' for the whole value. */
export type ReadValue = { value: RecordValue | null; problems: null } | { problems: Record<string, string> }

const PHONE = /^\+?[\d\s().\-/]+(?:(?:x|ext\.?)\s*\d{1,6})?$/i

/** Reads a value as it was typed or sent. */
export function readRecordValue({ kind, choices }: Pick<RecordField, 'kind' | 'choices'>, input: unknown): ReadValue {
  if (input === undefined || input === null || input === '') return fine(null)
  switch (kind) {
    case 'address':
      return readAddress(input)
    case 'choices':
      return readChoices(choices, input)
    case 'number':
      return readNumber(input)
    default: {
      const read = readLine(input, kind === 'phone' ? recordLimits.phone : recordLimits.line)
      if (typeof read !== 'string') return read
      if (read === '') return fine(null)
      if (kind === 'choice' && !choices.includes(read)) return wrong(messages.record.choice)
      if (kind === 'day' && !isDay(read)) return wrong(messages.record.day)
      if (kind === 'phone' && (!PHONE.test(read) || read.replaceAll(/\D/g, '').length < 7))
        return wrong(messages.record.phone)
      return fine(read)
    }
  }
}

function fine(value: RecordValue | null): ReadValue {
  return { value, problems: null }
}

function wrong(message: string, part = ''): ReadValue {
  return { problems: { [part]: message } }
}

function readLine(input: unknown, max: number): string | ReadValue {
  const read = z.safeParse(blankLineField(max), input)
  if (read.success) return read.data
  return wrong(
    typeof input === 'string' && input.trim().length > max ? messages.record.long(max) : messages.text.unreadable,
  )
}

function readNumber(input: unknown): ReadValue {
  const text = typeof input === 'number' ? String(input) : input
  if (typeof text !== 'string' || !/^-?\d{1,9}$/.test(text.trim())) return wrong(messages.record.number)
  return fine(Number(text))
}

function readChoices(choices: readonly string[], input: unknown): ReadValue {
  if (!Array.isArray(input) || input.some((one) => !choices.includes(one as string)))
    return wrong(messages.record.choices)
  // In the order of the field, each once.
  const chosen = choices.filter((choice) => input.includes(choice))
  return fine(chosen.length > 0 ? chosen : null)
}

function readAddress(input: unknown): ReadValue {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return wrong(messages.text.unreadable)
  const given = input as Record<string, unknown>
  const problems: Record<string, string> = {}
  const part = (name: string, text: unknown, max: number): string => {
    const read = readLine(text ?? '', max)
    if (typeof read === 'string') return read
    if (read.problems) problems[name] ??= read.problems[''] ?? messages.text.unreadable
    return ''
  }
  const lines = Array.isArray(given['lines']) ? (given['lines'] as unknown[]) : []
  if (lines.length > recordLimits.addressLines) problems['lines.0'] = messages.record.addressLines
  const value = {
    lines: lines
      .slice(0, recordLimits.addressLines)
      .map((line, index) => part(`lines.${index}`, line, recordLimits.addressLine))
      .filter(Boolean),
    city: part('city', given['city'], recordLimits.city),
    region: part('region', given['region'], recordLimits.region),
    postalCode: part('postalCode', given['postalCode'], recordLimits.postalCode),
    country: part('country', given['country'], recordLimits.region),
  }
  if (Object.keys(problems).length > 0) return { problems }
  if (recordLines(value).length === 0) return fine(null)
  if (value.lines.length === 0) problems['lines.0'] = messages.record.street
  if (value.city === '') problems['city'] = messages.record.city
  return Object.keys(problems).length > 0 ? { problems } : fine(value)
}
