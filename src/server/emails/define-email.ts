import { defineEffect, type EffectDefinition, type EffectOptions } from '#server/jobs/define-effect.ts'
import type { Association } from '#contract/public/association.ts'
import type { Email, OutgoingEmail } from './email.ts'

/** Decides what an address still gets after officers ended its account: `reply` answers a person who uses it now, `reminder` only reminds or asks. */
export type EmailPurpose = 'reply' | 'update' | 'reminder'

type EmailKind = `email.${string}`
/** The fields of a payload that hold an id or an address. */
type TextField<Payload> = { [Key in keyof Payload & string]: Payload[Key] extends string ? Key : never }[keyof Payload &
  string]

export interface EmailDefinition<
  Payload = unknown,
  Kind extends EmailKind = EmailKind,
  Tools = never,
> extends EffectDefinition<Payload, Kind> {
  /** What officers read in lists of emails. */
  name: string
  /** Its wording cannot be changed. */
  isFixed: boolean
  /** Its changed texts keep every value of the original ones. */
  isAboutSecurity: boolean
  samples(name: string, association: Association): Record<string, Email>
  purpose(payload: Payload): EmailPurpose
  compose(payload: Payload, tools: Tools): Promise<OutgoingEmail | null>
}

/** Defines an email: an effect that is composed when the outbox sends it. */
export function defineEmail<Payload, const Kind extends EmailKind, Tools>({
  subject,
  recipient,
  purpose = 'update',
  isFixed = false,
  name,
  samples,
  compose,
  ...effect
}: EffectOptions<Payload, Kind> & {
  name: string
  /** The field with the person it is about: an address, or the id of an account or of a record that `findEmailSubjectIds` finds; null for officers only. */
  subject: TextField<NoInfer<Payload>> | null
  /** The field with the recipient's address or account id, if that is someone else. */
  recipient?: TextField<NoInfer<Payload>>
  purpose?: EmailPurpose | ((payload: Payload) => EmailPurpose)
  /** Officers cannot change its wording, because a person wrote it or its text depends on what it reports. */
  isFixed?: boolean
  /** Each variant as someone with this name gets it, by its label: for tests, and for officers who change its wording. */
  samples(name: string, association: Association): Record<string, Email>
  /** Composes from the state at the time of sending, with links that are derived only now; null if it no longer needs to be sent. */
  compose(payload: Payload, tools: Tools): Promise<OutgoingEmail | null>
}): EmailDefinition<Payload, Kind, Tools> {
  const valueOf = (payload: Payload, field: string | null | undefined) =>
    field ? String((payload as Record<string, unknown>)[field]) : null
  return {
    ...defineEffect(effect),
    name,
    isFixed,
    isAboutSecurity: effect.priority === 'security',
    samples,
    people: (payload) => ({ subject: valueOf(payload, subject), recipient: valueOf(payload, recipient) }),
    purpose: (payload) => (typeof purpose === 'function' ? purpose(payload) : purpose),
    compose,
  }
}

/** Everything that the composers of these emails need. */
export type ToolsOf<Definition> = (
  Definition extends { compose(payload: never, tools: infer Tools): unknown } ? (tools: Tools) => void : never
) extends (tools: infer All) => void
  ? All
  : never
