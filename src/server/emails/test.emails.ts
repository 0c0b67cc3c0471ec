import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from './email.ts'

/** Sent by `npm run admin -- mail test ADDRESS` and by officers who set up the site. */
export function testEmail(siteUrl: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Test email from the website',
      preview: 'If you can read this, email delivery works.',
      heading: 'Email delivery works',
      blocks: [
        {
          kind: 'text',
          text: 'This email was sent to check that emails of the website arrive and look right.',
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
