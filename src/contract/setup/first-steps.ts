import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { emailField, firstNameField, lastNameField, lineField, passwordField, user, usernameField } from '../fields.ts'
import { messages } from '../messages.ts'
import { PARTS } from '../parts.ts'

/**
 * The first steps of a new site, for the browser that used the code, which its log and `npm run admin -- setup code` print. They end with the first officer, who
 * continues in the console (`site-setup.ts`).
 */

/** The starter texts that a new site may choose from. */
export const STARTER_PROFILES = ['neutral', 'physicians', 'engineers'] as const
export type StarterProfile = (typeof STARTER_PROFILES)[number]

export const enterSetup = endpoint({
  name: 'enterSetup',
  method: 'POST',
  path: '/api/setup/enter',
  access: 'anyone',
  summary: 'Use the set-up code, once; the browser then may set up the site',
  body: z.object({ code: lineField(messages.setup.codeWrong, 128) }),
  status: 204,
  failures: ['SETUP_CODE_WRONG'],
})

export const readSetup = endpoint({
  name: 'readSetup',
  method: 'GET',
  path: '/api/setup',
  access: 'anyone',
  summary: 'Get what a new site begins with; for the browser that used the set-up code',
  reply: z.object({
    /** The first officer exists: the rest is in the console. */
    hasOfficer: z.boolean(),
    profile: z.enum(STARTER_PROFILES),
    timeZones: z.array(z.string()),
    currencies: z.array(z.string()),
    /** When this process started, in epoch milliseconds: another value after a restart. */
    startedAt: z.number(),
  }),
  failures: ['SETUP_CODE_WRONG'],
})

export const beginSetup = endpoint({
  name: 'beginSetup',
  method: 'POST',
  path: '/api/setup/begin',
  access: 'anyone',
  summary: 'Name the association, choose its starter texts and create the first officer, who is logged in',
  body: z.object({
    associationName: lineField(messages.setup.associationName, 120),
    shortName: lineField(messages.setup.shortName, 40),
    city: lineField(messages.setup.city, 80),
    country: z.string(messages.setup.country).check(z.trim(), z.regex(/^[A-Z]{2}$/, messages.setup.country)),
    currency: lineField(messages.setup.currency, 3),
    timeZone: lineField(messages.setup.timeZone, 64),
    profile: z.enum(STARTER_PROFILES, messages.setup.profile),
    partsOff: z.array(z.enum(PARTS, messages.setup.parts), messages.setup.parts),
    firstName: firstNameField,
    lastName: lastNameField,
    email: emailField,
    username: usernameField,
    password: passwordField,
  }),
  reply: z.object({ token: z.string(), user, restarts: z.boolean() }),
  status: 201,
  failures: ['SETUP_CODE_WRONG', 'SETUP_HAS_OFFICER'],
})
