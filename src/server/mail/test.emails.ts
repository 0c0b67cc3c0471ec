import type { Association } from '#contract/association.ts'
import { printLetter, type Letter } from './letter.ts'

/** Sent by `npm run admin -- mail test ADDRESS`. */
export function testLetter(siteUrl: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'A test letter from the website',
      preview: 'If you read this, letters arrive.',
      heading: 'Letters arrive',
      blocks: [
        {
          kind: 'text',
          text: 'Somebody who looks after the website asked for this letter, to see whether it arrives and looks right.',
        },
        {
          kind: 'text',
          text: 'Look where it arrived: not among spam? In its source (“Show original”), SPF, DKIM and DMARC should each say “pass”.',
        },
        { kind: 'facts', facts: [['Website', siteUrl]] },
      ],
    },
    association,
  )
}
