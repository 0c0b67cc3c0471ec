import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from './email.ts'

/** Sent by `npm run admin -- mail test ADDRESS`. */
export function testEmail(siteUrl: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Test email from the website',
      preview: 'If you can read this, email delivery works.',
      heading: 'Email delivery works',
      blocks: [
        {
          kind: 'text',
          text: 'The webmaster sent this email to check that it arrives and looks right.',
        },
        {
          kind: 'text',
          text: 'Check that it did not land in spam. In its source (“Show original”), SPF, DKIM and DMARC should each say “pass”.',
        },
        { kind: 'details', details: [['Website', siteUrl]] },
      ],
    },
    association,
  )
}
