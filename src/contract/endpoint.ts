import type * as z from 'zod/mini'
import type { Permission } from './access.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call (the "doors" test walks these):
 * `anyone` ignores a bearer; `optional` uses one when it is sent and refuses a bad one; `member` needs one;
 * `signed` proves itself by a signature over its raw body; `officer` needs a bearer whose owner holds a role with the endpoint's `permission` today,
 * in a session that has given a second factor.
 */
export type Access = 'anyone' | 'optional' | 'member' | 'signed' | 'officer'

type Schema = z.core.$ZodType
type FileMedia = 'application/pdf' | 'text/csv'

/** One call between browser and server: the browser calls it, the server serves it, the OpenAPI document is made from it. */
export interface Endpoint<
  Body extends Schema = Schema,
  Query extends Schema = Schema,
  Reply extends Schema = Schema,
  Params extends Schema = Schema,
> {
  /** Unique; the key of its rate limit and of its OpenAPI operation. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Full path; parameters as `:name`. */
  path: `/api/${string}`
  access: Access
  /** What an officer must be allowed; for `officer` endpoints only. */
  permission?: Permission
  /** The second factor must have been given within the last minutes (`officerLimits.freshForMs`). */
  asksAgain?: true
  /**
   * An officer who sees the site as a member does may read it too, if the officer also has this permission. Without it such a view is refused, and every
   * method but GET is refused whatever stands here (decision record 18).
   */
  inView?: Permission
  summary: string
  /** Its body is a file of at most so many bytes, read once the caller was let in; such an endpoint has no `body`. */
  uploadBytes?: number
  /** What is said of a file that is larger. */
  tooLarge?: string
  /** Of the path; each is one segment, URL-encoded on the way. */
  params?: Params
  body?: Body
  query?: Query
  reply?: Reply
  /** Status of success; 200 unless said. 204 has no `reply`. */
  status?: 200 | 201 | 204
  /** What a success is when it is a file instead of JSON; such an endpoint has no `reply`. Failures are JSON all the same. */
  media?: FileMedia
  /** Its failures also carry `success: false` and the sentence as `error`. */
  reportsSuccess?: true
  /** The codes of `errors.ts` it may answer besides those every call shares. */
  failures: readonly ErrorCode[]
}

/** Keeps the exact schema types of an endpoint for callers and handlers. */
export function endpoint<
  Body extends Schema = z.core.$ZodNever,
  Query extends Schema = z.core.$ZodNever,
  Reply extends Schema = z.core.$ZodNever,
  Params extends Schema = z.core.$ZodNever,
>(definition: Endpoint<Body, Query, Reply, Params>): Endpoint<Body, Query, Reply, Params> {
  return definition
}

/** A call that is answered by a file. */
export type FileEndpoint = Endpoint & { media: FileMedia }

/** Keeps the exact schema types of an endpoint whose success is a file. */
export function fileEndpoint<
  Params extends Schema = z.core.$ZodNever,
  Query extends Schema = z.core.$ZodNever,
  Body extends Schema = z.core.$ZodNever,
>(definition: Endpoint<Body, Query, z.core.$ZodNever, Params> & { media: FileMedia }): typeof definition {
  return definition
}

export type BodyOf<E> = E extends Endpoint<infer B, Schema, Schema> ? z.core.output<B> : never
export type QueryOf<E> = E extends Endpoint<Schema, infer Q, Schema> ? z.core.output<Q> : never
export type ReplyOf<E> = E extends Endpoint<Schema, Schema, infer R> ? z.core.output<R> : never
export type ParamsOf<E> = E extends Endpoint<Schema, Schema, Schema, infer P> ? z.core.output<P> : never
