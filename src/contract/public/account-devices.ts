import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** Where somebody is signed in. Instants are ISO 8601. */
export const device = z.object({
  id: z.string(),
  /** Such as 'Chrome on Android'. */
  browser: z.string(),
  signedInAt: z.string(),
  /** To the hour. */
  lastSeenAt: z.string(),
  /** The one that asks. */
  isCurrent: z.boolean(),
})
export type Device = z.infer<typeof device>

/** Additive. Newest first. */
export const listDevices = endpoint({
  name: 'listDevices',
  method: 'GET',
  path: '/api/account/devices',
  access: 'member',
  summary: 'Where the caller is signed in',
  reply: z.array(device),
  failures: [],
})

/** Additive. The same answer for a device that is not the caller's, or not there: nothing happens then. */
export const signOutDevice = endpoint({
  name: 'signOutDevice',
  method: 'DELETE',
  path: '/api/account/devices/:id',
  access: 'member',
  summary: 'End one session of the caller',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  status: 204,
  failures: [],
})

/** Additive. Every older token dies, as with a changed password; the caller goes on with the new one. */
export const signOutEverywhere = endpoint({
  name: 'signOutEverywhere',
  method: 'DELETE',
  path: '/api/account/devices',
  access: 'member',
  summary: 'End every other session of the caller',
  reply: z.object({ token: z.string() }),
  failures: [],
})
