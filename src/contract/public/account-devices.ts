import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** An active session. Instants are ISO 8601. */
export const device = z.object({
  id: z.string(),
  /** Such as 'Chrome on Android'. */
  browser: z.string(),
  signedInAt: z.string(),
  /** Rounded to the hour. */
  lastSeenAt: z.string(),
  /** The session of this request. */
  isCurrent: z.boolean(),
})
export type Device = z.infer<typeof device>

/** Additive. Newest first. */
export const listDevices = endpoint({
  name: 'listDevices',
  method: 'GET',
  path: '/api/account/devices',
  access: 'member',
  summary: 'List the caller’s sessions',
  reply: z.array(device),
  failures: [],
})

/** Additive. The response is the same if the session is not the caller's or does not exist; then it is a no-op. */
export const signOutDevice = endpoint({
  name: 'signOutDevice',
  method: 'DELETE',
  path: '/api/account/devices/:id',
  access: 'member',
  summary: 'End one of the caller’s sessions',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  status: 204,
  failures: [],
})

/** Additive. Revokes all older tokens, as a password change does, and returns a new one to the caller. */
export const signOutEverywhere = endpoint({
  name: 'signOutEverywhere',
  method: 'DELETE',
  path: '/api/account/devices',
  access: 'member',
  summary: 'End all other sessions of the caller',
  reply: z.object({ token: z.string() }),
  failures: [],
})
