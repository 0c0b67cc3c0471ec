import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { WORDING_PARTS } from '#contract/console/emails/email-wordings.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import type { EmailWordings } from './email-wordings.service.ts'

/** An automatic email with sample values, to the officer who changes its texts. */
export const sendWordingTest = defineEmail({
  kind: 'email.wording_test',
  name: 'Email text test',
  isFixed: true,
  samples: (name, association) => ({ 'email text test': testSample(name, association) }),
  payload: z.object({
    id: z.string(),
    sample: z.string(),
    texts: z.array(z.object({ part: z.enum(WORDING_PARTS), original: z.string(), text: z.string() })),
    email: z.string(),
  }),
  subject: 'email',
  priority: 'personal',
  async compose({ id, texts, sample, email }, { emailWordings }: { emailWordings: Pick<EmailWordings, 'render'> }) {
    return { ...asTest(await emailWordings.render(id, { texts, sample })), to: email }
  },
})

function asTest(email: Email): Email {
  return { ...email, subject: `[Test] ${email.subject}` }
}

function testSample(name: string, association: Association): Email {
  const blocks = [{ kind: 'text' as const, text: 'Your membership is active. We are glad you are here.' }]
  return asTest(
    renderEmail({ subject: `Welcome, ${name}`, preview: 'Welcome', heading: `Welcome, ${name}`, blocks }, association),
  )
}
