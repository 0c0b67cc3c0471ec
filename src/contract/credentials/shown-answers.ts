import { formatDay, isDay } from '../dates/days.ts'
import {
  listLabel,
  storeOf,
  type CredentialCheck,
  type CredentialField,
  type CredentialKind,
  type SubmittedAnswers,
} from './credential-kinds.ts'

/** What was answered to a question; empty if nothing was. */
export function answerTo(field: Pick<CredentialField, 'key' | 'check'>, submitted: SubmittedAnswers): string {
  const store = storeOf(field.check)
  return (store ? submitted[store] : submitted.answers?.[field.key]) ?? ''
}

/** The answers of a form, by the keys of the fields. */
export function formValues(kind: CredentialKind, submitted: SubmittedAnswers): Record<string, string> {
  return Object.fromEntries(kind.fields.map((field) => [field.key, answerTo(field, submitted)]))
}

export interface ShownAnswer {
  label: string
  check: CredentialCheck
  /** As people read it. */
  text: string
  /** Where the public registry shows it; null if there is no registry. */
  registryUrl: string | null
}

/** Every answer, in the order of the questions, then those whose question no longer exists. */
export function shownAnswers(kind: CredentialKind, submitted: SubmittedAnswers): ShownAnswer[] {
  const asked = kind.fields.map((field) => ({ ...field, label: listLabel(field), value: answerTo(field, submitted) }))
  return [...asked, ...leftAnswers(kind, submitted)].flatMap(({ label, check, value, registry }) =>
    value === ''
      ? []
      : [
          {
            label,
            check,
            text: check === 'end' && isDay(value) ? formatDay(value) : value,
            registryUrl: registry === null ? null : registry.replaceAll('{value}', encodeURIComponent(value)),
          },
        ],
  )
}

const LEFT = [
  { key: 'number', label: 'Number', check: 'number' },
  { key: 'issuer', label: 'Issued by', check: 'issuer' },
  { key: 'place', label: 'School or program', check: 'place' },
  { key: 'end', label: 'End of training', check: 'end' },
] as const

function leftAnswers({ fields }: CredentialKind, submitted: SubmittedAnswers) {
  const known = new Set(fields.map(({ check }) => storeOf(check)))
  const inPlaces = LEFT.filter(({ check }) => !known.has(storeOf(check))).map((field) => ({
    ...field,
    value: answerTo(field, submitted),
  }))
  const keys = new Set(fields.map(({ key }) => key))
  const others = Object.entries(submitted.answers ?? {})
    .filter(([key]) => !keys.has(key))
    .map(([key, value]) => ({ key, label: key, check: 'text' as const, value }))
  return [...inPlaces, ...others].map((one) => ({ ...one, registry: null }))
}

/** What was submitted in a few words, in parts: the number, or else the name of the kind, comes first. */
export function credentialSummary(kind: CredentialKind, submitted: SubmittedAnswers): string[] {
  const answers = shownAnswers(kind, submitted)
  const parts = answers.map(({ label, check, text }) => {
    if (check === 'place' || storeOf(check) === 'licenceState') return text
    return check === 'end' ? `until ${text}` : `${label} ${text}`
  })
  return answers.some(({ check }) => storeOf(check) === 'npi') ? parts : [kind.name, ...parts]
}
