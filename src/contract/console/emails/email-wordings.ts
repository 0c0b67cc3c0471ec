import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** Console endpoints for the wording of automatic emails. */

/** The parts of an email whose wording officers may change. */
export const WORDING_PARTS = ['subject', 'preview', 'heading', 'text', 'lead', 'note'] as const
export type WordingPart = (typeof WORDING_PARTS)[number]

export const wordingLimits = { line: 200, text: 2_000, texts: 200 } as const

const shared = { access: 'officer', permission: 'content.change' } as const

/** The id of an email: its kind without the prefix, with hyphens. */
const emailParams = z.object({ id: lineField(messages.text.unreadable, 60) })

const changedText = z.object({
  part: z.enum(WORDING_PARTS, messages.text.unreadable),
  original: z.string(messages.text.unreadable).check(z.maxLength(wordingLimits.text, messages.text.unreadable)),
  text: z.string('Please write a text').check(z.maxLength(wordingLimits.text, 'This text is too long for an email.')),
})
export type ChangedText = z.infer<typeof changedText>
const changedTexts = z.array(changedText).check(z.maxLength(wordingLimits.texts, messages.text.unreadable))

const emailLine = z.object({
  id: z.string(),
  name: z.string(),
  /** Its subject as sent now, with sample values. */
  subject: z.string(),
  /** Number of changed texts. */
  changed: z.int(),
  /** Number of changed texts that are no longer used, because the original was replaced in a newer release. */
  unused: z.int(),
})
export type EmailWordingLine = z.infer<typeof emailLine>

export const listEmailWordings = endpoint({
  ...shared,
  name: 'listEmailWordings',
  method: 'GET',
  path: '/api/console/email-texts',
  summary: 'List the automatic emails whose texts officers may change',
  reply: z.object({ emails: z.array(emailLine) }),
  failures: [],
})

const emailWording = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  /** The variants of the email by label. */
  samples: z.array(z.string()),
  texts: z.array(
    z.object({
      part: z.enum(WORDING_PARTS),
      original: z.string(),
      /** As sent now: the original unless it was changed. */
      text: z.string(),
      /** Values that the text may use, such as `first_name`. */
      placeholders: z.array(z.string()),
      /** Values that the text must keep. */
      required: z.array(z.string()),
      /** The variants that have this text. */
      samples: z.array(z.string()),
    }),
  ),
  /** Changed texts whose original was replaced in a newer release. */
  unused: z.array(changedText),
  /** Newest first. */
  revisions: z.array(z.object({ number: z.int(), at: z.string(), by: z.string(), changed: z.int() })),
})
export type EmailWording = z.infer<typeof emailWording>

export const getEmailWording = endpoint({
  ...shared,
  name: 'getEmailWording',
  method: 'GET',
  path: '/api/console/email-texts/:id',
  summary: 'Get the texts of an automatic email, the original and the changed ones',
  params: emailParams,
  reply: emailWording,
  failures: ['NOT_FOUND'],
})

export const saveEmailWording = endpoint({
  ...shared,
  name: 'saveEmailWording',
  method: 'PUT',
  path: '/api/console/email-texts/:id',
  summary: 'Change the texts of an automatic email; no changed texts resets it to the original',
  params: emailParams,
  body: z.object({ texts: changedTexts, version: z.string().check(z.maxLength(64)) }),
  reply: emailWording,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const restoreEmailWording = endpoint({
  ...shared,
  name: 'restoreEmailWording',
  method: 'POST',
  path: '/api/console/email-texts/:id/restore',
  summary: 'Restore an earlier version of the texts of an automatic email',
  params: emailParams,
  body: z.object({ number: z.int(messages.text.number), version: z.string().check(z.maxLength(64)) }),
  reply: emailWording,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

const trial = {
  params: emailParams,
  body: z.object({ texts: changedTexts, sample: lineField(messages.text.unreadable, 120) }),
}

export const previewEmailWording = endpoint({
  ...shared,
  ...trial,
  name: 'previewEmailWording',
  method: 'POST',
  path: '/api/console/email-texts/:id/preview',
  summary: 'Render an automatic email with changed texts and sample values; stores nothing',
  reply: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
  failures: ['NOT_FOUND'],
})

export const testEmailWording = endpoint({
  ...shared,
  ...trial,
  name: 'testEmailWording',
  method: 'POST',
  path: '/api/console/email-texts/:id/test',
  summary: 'Email an automatic email with changed texts and sample values to the caller only',
  reply: z.object({ email: z.string() }),
  failures: ['NOT_FOUND'],
})
