import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { emailField } from '../fields.ts'
import { login } from '../public/auth.ts'

/** A public demo, where anyone logs in as a sample person (decision record 68). On any other site these endpoints do not exist. */

const demoPerson = z.object({
  email: z.string(),
  name: z.string(),
  /** Who this is, in a sentence. */
  about: z.string(),
  /** Whether the person starts in the console; others start in their account. */
  isOfficer: z.boolean(),
})

export const readDemo = endpoint({
  name: 'readDemo',
  method: 'GET',
  path: '/api/demo',
  access: 'anyone',
  summary: 'List the people of a demo whom anyone may log in as',
  reply: z.object({
    people: z.array(demoPerson),
    /** The address of this browser in the demo: only this browser reads what the site sends there. */
    guestAddress: z.string(),
    /** When the demo starts afresh. */
    resetsAt: z.string(),
  }),
  failures: [],
})

export const enterDemo = endpoint({
  name: 'enterDemo',
  method: 'POST',
  path: '/api/demo/enter',
  access: 'anyone',
  summary: 'Log in as a person of a demo, for officers with a second factor',
  body: z.object({ email: emailField }),
  reply: login.reply!,
  failures: ['DEMO_PERSON_GONE'],
})

export const listDemoEmails = endpoint({
  name: 'listDemoEmails',
  method: 'GET',
  path: '/api/demo/emails',
  access: 'optional',
  summary:
    'List the newest emails that a demo would have sent to this browser’s address and to the person who is logged in',
  reply: z.object({
    emails: z.array(
      z.object({ id: z.string(), to: z.string(), subject: z.string(), text: z.string(), receivedAt: z.string() }),
    ),
  }),
  failures: [],
})
