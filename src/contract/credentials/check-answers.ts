import { isDay } from '../dates/days.ts'
import { isOneLine } from '../fields.ts'
import { messages } from '../messages.ts'
import { isNpi } from './npi.ts'
import {
  storeOf,
  type CredentialField,
  type CredentialKind,
  type StoredName,
  type SubmittedAnswers,
} from './credential-kinds.ts'

/** Postal codes of the states and the federal district. */
const STATES = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC ' +
    'SD TN TX UT VT VA WA WV WI WY'
  ).split(' '),
)

export const isUsState = (value: string): boolean => STATES.has(value.trim().toUpperCase())

/** The longest answer. */
export const ANSWER_MAX = 120

/** The answers as they are kept, and a sentence for each that is missing or wrong. Whether a day has passed is checked on the server. */
export function checkAnswers(
  { fields }: Pick<CredentialKind, 'fields'>,
  given: Readonly<Record<string, string>>,
): { values: Record<string, string>; errors: Record<string, string> } {
  const values: Record<string, string> = {}
  const errors: Record<string, string> = {}
  for (const field of fields) {
    const text = (given[field.key] ?? '').trim()
    const value = field.check === 'us-state' ? text.toUpperCase() : text
    const fault = value === '' ? (field.isOptional ? null : missing(field)) : faultIn(value, field)
    if (fault !== null) errors[field.key] = fault
    values[field.key] = value
  }
  return { values, errors }
}

const sentences = messages.credentials

function missing({ check, label }: CredentialField): string {
  if (check === 'place') return sentences.place
  return check === 'end' ? sentences.endsOn.required : sentences.required(label)
}

// Letters and digits of any language, and what stands between them in numbers.
const NUMBER = /^[\p{L}\d](?:[\p{L}\d ./-]*[\p{L}\d])?$/u
/** Why an answer cannot be right; null if it can. */
function faultIn(value: string, { check, length }: CredentialField): string | null {
  if (value.length > ANSWER_MAX || !isOneLine(value)) return messages.text.unreadable
  if (check === 'npi') return isNpi(value) ? null : sentences.npi.invalid
  if (check === 'us-state') return isUsState(value) ? null : sentences.licenceState.invalid
  if (check === 'end') return isDay(value) ? null : sentences.endsOn.required
  if (check === 'year') return /^(19|20)\d\d$/.test(value) ? null : sentences.year
  if (check === 'digits' && !/^\d+$/.test(value)) return sentences.digits
  if (check === 'number' && !NUMBER.test(value)) return sentences.number
  if ((check === 'digits' || check === 'number') && length !== null && value.length !== length)
    return sentences.length(length)
  return null
}

/** Checked answers in the places where they are kept. */
export function toStored(
  { key, fields }: CredentialKind,
  values: Readonly<Record<string, string>>,
): Required<Omit<SubmittedAnswers, 'answers'>> & { answers: Record<string, string> } {
  const inPlace = (name: StoredName) => {
    const field = fields.find(({ check }) => storeOf(check) === name)
    return (field && values[field.key]) || ''
  }
  const others = fields.filter(({ check }) => storeOf(check) === null).map((field) => field.key)
  return {
    kind: key,
    npi: inPlace('npi'),
    licenceState: inPlace('licenceState'),
    place: inPlace('place') || null,
    endsOn: inPlace('endsOn') || null,
    answers: Object.fromEntries(others.flatMap((name) => (values[name] ? [[name, values[name]]] : []))),
  }
}
