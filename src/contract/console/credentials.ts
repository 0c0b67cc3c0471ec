import * as z from 'zod/mini'
import { submittedAnswers } from '../public/credentials.ts'
import { isDay } from '../dates/days.ts'
import { endpoint, type ReplyOf } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** The credential desk: what members submitted, and officers' decisions. Instants are ISO 8601. */

/** Kinds of evidence for training, with display names. */
export const EVIDENCE_KINDS = {
  letter: 'A letter from the school or program',
  address: 'Email from an address at the school or program',
  list: 'A public list from the school or program',
  other: 'Something else',
} as const
const EVIDENCE_NAMES = Object.keys(EVIDENCE_KINDS) as (keyof typeof EVIDENCE_KINDS)[]

const deskFields = {
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  email: z.string(),
  ...submittedAnswers,
  /** For kinds with an NPI: whether its check digit is valid; if not, it contains a typo. */
  npiFits: z.boolean(),
  givenAt: z.string(),
  /** The last question to the member; `answeredAt` is set once the member confirmed the details. */
  asked: z.nullable(z.object({ question: z.string(), at: z.string(), answeredAt: z.nullable(z.string()) })),
}

export const pendingCredential = z.object({
  ...deskFields,
  /** The reason of an earlier decline; null if there was none. */
  declinedBefore: z.nullable(z.string()),
})
export type PendingCredential = z.infer<typeof pendingCredential>

export const credentialRecheck = z.object({
  ...deskFields,
  /** When they were approved or last confirmed. */
  lookedAt: z.string(),
  /** The evidence recorded then. */
  evidence: z.nullable(z.string()),
  /** Why a recheck is due. `training`: its end date has passed. `time`: the last check was too long ago. */
  why: z.enum(['training', 'time']),
})
export type CredentialRecheck = z.infer<typeof credentialRecheck>

const deskLists = z.object({
  waiting: z.array(pendingCredential),
  /** The first rechecks due, most overdue first; those awaiting the member's response come last. */
  again: z.array(credentialRecheck),
  /** Total number of rechecks due, without those awaiting a response. */
  againTotal: z.int(),
  /** Months after which approved or confirmed credentials are due again; 0: only when their training has ended. A setting of the site. */
  recheckMonths: z.int(),
  /** Whether `readRegistryRecord` looks numbers up: a setting of the site. */
  hasRegistry: z.boolean(),
})
export type CredentialDeskLists = z.infer<typeof deskLists>

export const listPendingCredentials = endpoint({
  name: 'listWaitingCredentials',
  method: 'GET',
  path: '/api/console/credentials',
  access: 'officer',
  permission: 'credentials.decide',
  summary: 'List credentials that await a decision, oldest first, and those due for a recheck',
  reply: deskLists,
  failures: [],
})

const registryRecord = z.object({
  /** As the registry writes it. */
  name: z.string(),
  isOrganization: z.boolean(),
  otherNames: z.array(z.string()),
  degree: z.string(),
  isActive: z.boolean(),
  /** The primary one first; state and license number may be empty. */
  taxonomies: z.array(z.object({ name: z.string(), state: z.string(), license: z.string() })),
  /** City and state of the practice; may be empty. */
  place: z.string(),
  /** `YYYY-MM-DD`; may be empty. */
  updatedOn: z.string(),
})
export type RegistryRecord = z.infer<typeof registryRecord>

/** A GET request that asks the registry, with the number alone. Nothing is stored: the officer records the evidence. */
export const readRegistryRecord = endpoint({
  name: 'readRegistryRecord',
  method: 'GET',
  path: '/api/console/credentials/:id/registry',
  access: 'officer',
  permission: 'credentials.decide',
  summary: 'Look up the NPI of submitted credentials in the public registry, if the site is set up for it',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  reply: z.object({
    /** null if no one has the number. */
    record: z.nullable(registryRecord),
    /** Whether name and state agree with what was submitted; null where the registry or the claim has no state. */
    agrees: z.nullable(z.object({ name: z.boolean(), state: z.nullable(z.boolean()) })),
  }),
  failures: ['NOT_FOUND', 'REGISTRY_UNAVAILABLE'],
})
export type RegistryLookup = ReplyOf<typeof readRegistryRecord>

const ofOne = {
  method: 'POST',
  access: 'officer',
  permission: 'credentials.decide',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  reply: deskLists,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'OWN_ACCOUNT'],
} as const

export const decideCredential = endpoint({
  ...ofOne,
  name: 'decideCredential',
  path: '/api/console/credentials/:id',
  summary: 'Approve or decline credentials; the member is emailed',
  body: z.object({
    decision: z.enum(['approved', 'declined'], 'Please choose'),
    /** The evidence, or for a decline the reason as shown to the member. */
    evidence: lineField('Please enter the evidence, or the reason', 500),
    /** Required to approve kinds for which officers ask for a proof. */
    evidenceKind: z.optional(z.enum(EVIDENCE_NAMES, 'Please choose the kind of evidence')),
  }),
})

export const askAboutCredential = endpoint({
  ...ofOne,
  name: 'askAboutCredential',
  path: '/api/console/credentials/:id/ask',
  summary: 'Email the member a question; an approval stays valid meanwhile',
  body: z.object({ question: lineField('Please enter your question; the member will read it', 500) }),
})

/** As read, so that two officers cannot both decide. */
const lookedAt = z.string()

export const confirmCredential = endpoint({
  ...ofOne,
  name: 'confirmCredential',
  path: '/api/console/credentials/:id/confirm',
  summary: 'Confirm that approved credentials are still correct, which postpones their next recheck; no email is sent',
  body: z.object({
    lookedAt,
    /** The new end of the training; required if the recorded one has passed. */
    endsOn: z.optional(
      z.string('Please enter a day').check(
        z.trim(),
        z.refine((day) => isDay(day.trim()), 'Please enter a day'),
      ),
    ),
  }),
  failures: [...ofOne.failures, 'NPI_UNLIKELY'],
})

export const revokeCredential = endpoint({
  ...ofOne,
  name: 'withdrawCredential',
  path: '/api/console/credentials/:id/withdraw',
  summary: 'Revoke an approval; the member is emailed the reason',
  body: z.object({ lookedAt, reason: lineField('Please enter the reason; the member will read it', 500) }),
})
