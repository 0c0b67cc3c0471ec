import type * as z from 'zod/mini'
import type { Permission } from './access.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call; a test checks it for every endpoint.
 * `anyone` ignores a bearer token; `optional` uses one if sent and rejects an invalid one; `member` requires one;
 * `signed` is authenticated by a signature over the raw body; `officer` requires a token whose owner currently holds a role with the endpoint's
 * `permission`, in a session with a second factor.
 */
export type Access = 'anyone' | 'optional' | 'member' | 'signed' | 'officer'

type Schema = z.core.$ZodType
type FileMedia = 'application/pdf' | 'text/csv' | 'application/vnd.apple.pkpass'

/** An endpoint: called by the browser, implemented by the server, and the source of the OpenAPI document. */
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
  /** The permission required; only for `officer` endpoints. */
  permission?: Permission
  /** Requires a second factor given within the last minutes (`officerLimits.freshForMs`). */
  requiresFreshFactor?: true
  /**
   * Lets an officer who views the site as a member read it, if the officer also has this permission. Without it such a request is rejected, and so is
   * every method other than GET, regardless of this field (decision record 18).
   */
  inView?: Permission
  summary: string
  /** Maximum size in bytes of a file sent as the body, which is read after authorization; such an endpoint has no `body`. */
  uploadBytes?: number
  /** The message for a larger file. */
  tooLarge?: string
  /** Path parameters; each is one URL-encoded segment. */
  params?: Params
  body?: Body
  query?: Query
  reply?: Reply
  /** The success status; 200 by default. 204 has no `reply`. */
  status?: 200 | 201 | 204
  /** The content type of a success response that is a file; such an endpoint has no `reply`. Failures are JSON all the same. */
  media?: FileMedia
  /** Failures also have `success: false` and the message as `error`. */
  reportsSuccess?: true
  /** Error codes it may return besides those of every endpoint; see `errors.ts`. */
  failures: readonly ErrorCode[]
}

/** Preserves the exact schema types for callers and handlers. */
export function endpoint<
  Body extends Schema = z.core.$ZodNever,
  Query extends Schema = z.core.$ZodNever,
  Reply extends Schema = z.core.$ZodNever,
  Params extends Schema = z.core.$ZodNever,
>(definition: Endpoint<Body, Query, Reply, Params>): Endpoint<Body, Query, Reply, Params> {
  return definition
}

/** An endpoint that returns a file. */
export type FileEndpoint = Endpoint & { media: FileMedia }

/** Preserves the exact schema types of a file endpoint. */
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
