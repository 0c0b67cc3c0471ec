import type { Association } from '#contract/association.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'
import type { ContactMessage } from './contact-message.repository.ts'

/** To the officers: the whole message. Answering the letter answers the sender. */
export function officersLetter(
  { id, name, email, subject, message }: Pick<ContactMessage, 'id' | 'name' | 'email' | 'subject' | 'message'>,
  association: Association,
): Letter {
  return printLetter(
    {
      subject: `Message from the website: ${shortened(subject)}`,
      preview: `${name} wrote. Answer this letter to answer them.`,
      heading: 'Somebody wrote to us',
      blocks: [
        {
          kind: 'facts',
          facts: [
            ['From', name],
            ['Email', email],
            ['Subject', subject],
          ],
        },
        ...message
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => ({ kind: 'text' as const, text: line })),
        {
          kind: 'note',
          text: `Answer this letter to answer ${name}; the website promises an answer within 24-48 hours. When it is answered, "npm run admin -- messages answered ${id}" takes it off the list.`,
        },
      ],
    },
    association,
  )
}

/** To the address given, without what was written: it may be somebody else's. */
export function acknowledgementLetter(association: Association): Letter {
  return printLetter(
    {
      subject: 'We received your message',
      preview: 'A person reads it and answers within 24-48 hours.',
      heading: 'Thank you for writing',
      blocks: [
        { kind: 'text', text: 'Your message has arrived. A person reads it and answers within 24-48 hours.' },
        {
          kind: 'text',
          text: 'We cannot treat patients by email, so please do not send medical information. In an emergency call 911.',
        },
        {
          kind: 'note',
          text: 'If you did not write to us, somebody gave your address by mistake: there is nothing to do.',
        },
      ],
    },
    association,
  )
}

const LONGEST = 50

/** A subject line that mail programs show whole. */
function shortened(subject: string): string {
  return subject.length > LONGEST ? `${subject.slice(0, LONGEST - 1).trimEnd()}…` : subject
}
