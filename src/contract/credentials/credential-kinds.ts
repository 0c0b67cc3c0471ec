import * as z from 'zod/mini'

/** The kinds of credentials that an association verifies are content (decision record 60): officers change them, and nothing here knows a profession. */

/** How an answer is checked, and so what it is: at most one of those with the same `store` in a kind. */
const CHECKS = {
  /** National Provider Identifier of the United States, with its check digit. */
  npi: { store: 'npi' },
  number: { store: 'npi' },
  digits: { store: 'npi' },
  'us-state': { store: 'licenceState' },
  issuer: { store: 'licenceState' },
  place: { store: 'place' },
  end: { store: 'endsOn' },
  year: { store: null },
  text: { store: null },
} as const satisfies Record<string, { store: StoredName | null }>

export type CredentialCheck = keyof typeof CHECKS
export const CREDENTIAL_CHECKS = Object.keys(CHECKS) as CredentialCheck[]

/** Where the answer to the question of a kind is kept. The names are those of the first kind, a license with an NPI; null: with the other answers. */
export type StoredName = 'npi' | 'licenceState' | 'place' | 'endsOn'

export const storeOf = (check: CredentialCheck): StoredName | null => CHECKS[check].store

export const credentialField = z.object({
  key: z.string(),
  label: z.string(),
  /** In lists; null: the label. */
  shownAs: z.nullable(z.string()),
  hint: z.nullable(z.string()),
  check: z.enum(CREDENTIAL_CHECKS),
  /** How many characters a number has; null: any. */
  length: z.nullable(z.int()),
  isOptional: z.boolean(),
  /** Address of the public registry, in which `{value}` stands for the answer. */
  registry: z.nullable(z.string()),
})
export type CredentialField = z.infer<typeof credentialField>

export const credentialKind = z.object({
  key: z.string(),
  name: z.string(),
  /** Completes "I am". */
  statement: z.string(),
  /** Keys of the membership levels for which the form begins with this kind. */
  levels: z.array(z.string()),
  /** Completes "Our officers have verified"; `{place}` stands for the school or program. */
  verified: z.string(),
  /** What officers ask for besides: completes "Our officers also ask for". */
  proof: z.nullable(z.string()),
  fields: z.array(credentialField),
  /** Not asked for any more; what was submitted stays readable. */
  isRetired: z.boolean(),
})
export type CredentialKind = z.infer<typeof credentialKind>

/** Answers that have no place of their own, by the keys of their fields. */
export const otherAnswers = z.record(z.string(), z.string())

/** What a member submitted. The first four are named as in the first release. */
export interface SubmittedAnswers {
  kind: string
  /** The number; empty if the kind has none, as is `licenceState`. */
  npi: string
  /** Where it was issued. */
  licenceState: string
  /** School or program, and the day on which the training ends. */
  place: string | null
  endsOn: string | null
  answers?: Record<string, string> | undefined
}

export function kindsInUse(kinds: readonly CredentialKind[]): CredentialKind[] {
  return kinds.filter(({ isRetired }) => !isRetired)
}

/** The kind of what was submitted; one without questions for a kind that this association never had. */
export function kindOf(kinds: readonly CredentialKind[], key: string): CredentialKind {
  const found = kinds.find((kind) => kind.key === key)
  return found ?? { ...UNKNOWN, key, name: 'Credentials' }
}

const UNKNOWN = {
  statement: '',
  levels: [],
  verified: 'your credentials',
  proof: null,
  fields: [],
  isRetired: true,
} satisfies Partial<CredentialKind>

/** Whether a kind is for someone in training: it has a day on which that ends. */
export function isTraining({ fields }: CredentialKind): boolean {
  return fields.some(({ check }) => check === 'end')
}

export function hasNpi({ fields }: CredentialKind): boolean {
  return fields.some(({ check }) => check === 'npi')
}

/** The question for the number of a kind, if it has one. */
export function numberField({ fields }: CredentialKind): CredentialField | undefined {
  return fields.find(({ check }) => storeOf(check) === 'npi')
}

export const listLabel = ({ shownAs, label }: Pick<CredentialField, 'shownAs' | 'label'>): string => shownAs ?? label

/** What officers verified, for sentences such as "Our officers have verified your license". */
export function verifiedText(kind: CredentialKind, place: string | null): string {
  return kind.verified.replaceAll('{place}', place ?? 'your school')
}

/** `your NPI and license` for `your NPI and your license`. */
export const shortened = (text: string): string => text.replaceAll(' and your ', ' and ')

/** What someone whose training has ended enters next: the credentials of the first kind that does not end. */
export function nextCredentials(kinds: readonly CredentialKind[]): string {
  const next = kindsInUse(kinds).find((kind) => !isTraining(kind))
  return shortened(next?.verified ?? 'your new credentials')
}
