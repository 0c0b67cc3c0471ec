import type { z } from 'zod'
import { PRIORITIES, type Level, type Priority } from './effect-priorities.ts'
import { PermanentFailure, type EffectHandler } from './outbox-worker.ts'
import type { ClaimedEffect } from './outbox.repository.ts'

/** A kind of work for the outbox. Created by `defineEffect` or `defineEmail`, and listed in `composition/effects.ts`. */
export interface EffectDefinition<Payload = unknown, Kind extends string = string> {
  /** As stored in the outbox: it never changes. */
  kind: Kind
  payload: z.ZodType<Payload>
  priority(payload: Payload): Priority
  /** The values of the payload that name the person it is about, and the recipient if that is someone else. */
  people(payload: Payload): { subject: string | null; recipient: string | null }
}

export interface EffectOptions<Payload, Kind extends string> {
  kind: Kind
  /** Ids and addresses; never a token or a password. */
  payload: z.ZodType<Payload>
  priority: Level | ((payload: Payload) => Level)
}

export function defineEffect<Payload, const Kind extends string>({
  kind,
  payload,
  priority,
}: EffectOptions<Payload, Kind>): EffectDefinition<Payload, Kind> {
  return {
    kind,
    payload,
    priority: (given) => PRIORITIES[typeof priority === 'function' ? priority(given) : priority],
    people: () => ({ subject: null, recipient: null }),
  }
}

/** The handlers of a union of definitions, by kind. */
export type HandlersOf<Definition extends EffectDefinition> = {
  [One in Definition as One['kind']]: (
    payload: z.infer<One['payload']>,
    effect: Pick<ClaimedEffect, 'attempts'>,
  ) => Promise<void>
}

/** Returns the handlers for the outbox worker: each is called with the payload that its definition describes. */
export function checkPayloads<Definition extends EffectDefinition>(
  definitions: readonly Definition[],
  handlers: HandlersOf<Definition>,
): Record<string, EffectHandler> {
  const byKind = handlers as Record<string, (payload: unknown, effect: ClaimedEffect) => Promise<void>>
  return Object.fromEntries(
    definitions.map((definition) => [
      definition.kind,
      async (payload, effect) => byKind[definition.kind]?.(readPayload(definition, payload), effect),
    ]),
  )
}

/** @throws PermanentFailure if a row, such as one of another release, has another payload than its definition */
export function readPayload<Payload>({ kind, payload: schema }: EffectDefinition<Payload>, stored: unknown): Payload {
  const { success, data, error } = schema.safeParse(stored)
  if (success) return data
  // Names fields only: values may be addresses.
  throw new PermanentFailure(`payload of ${kind} is invalid: ${error.issues.map(({ path }) => path.join('.')).join()}`)
}
