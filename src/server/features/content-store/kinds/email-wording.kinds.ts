import * as z from 'zod/mini'
import { WORDING_PARTS } from '#contract/console/emails/email-wordings.ts'
import { defineKind, field, textOf } from '../content-kind.rules.ts'

const emailWordingSchema = z.object({
  /** The kind of email, without the prefix and with hyphens. */
  id: z.string().check(z.regex(/^[a-z-]+$/)),
  name: z.string(),
  texts: z.array(
    z.object({ part: z.enum(WORDING_PARTS), original: z.string(), text: z.string().check(z.minLength(1)) }),
  ),
})
export type EmailWordingValue = z.infer<typeof emailWordingSchema>

/** Texts of automatic emails that officers changed, a record for each kind of email that was changed. */
export const emailWordingKind = defineKind({
  kind: 'emails',
  schema: emailWordingSchema,
  file: { name: 'emails.yaml', idOf: ({ id }) => textOf(id) },
  label: 'Texts of automatic emails',
  singular: 'email text',
  lead: 'The emails whose texts were changed. Change them under Communicate, Email texts, which shows a preview.',
  section: 'Text',
  // Changed by their own page, which knows the placeholders of each text.
  fields: [
    field('line', 'name', 'Email', { isFixed: true }),
    field('group', 'texts', 'Changed texts', {
      isFixed: true,
      fields: [
        field('choice', 'part', 'Part', { options: WORDING_PARTS }),
        field('text', 'original', 'Original'),
        field('text', 'text', 'Text'),
      ],
    }),
  ],
  title: ({ name }) => textOf(name),
})
