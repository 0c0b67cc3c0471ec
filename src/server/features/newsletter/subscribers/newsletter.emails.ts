import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { words } from '#server/emails/words.rules.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import { findSubscriber } from './subscriber.repository.ts'
import { createConfirmationToken } from './subscription-token.service.ts'

/** Asks the owner of an address to confirm the subscription (docs/product-rules.md#double-opt-in). */
function confirmationEmail(url: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'Please confirm your newsletter subscription',
      preview: 'One tap and you’re on the list.',
      heading: 'Confirm your subscription',
      blocks: [
        {
          kind: 'text',
          text: words`Someone, probably you, signed up for our newsletter with this address. ${{ promise: association.newsletter.promise }} Please confirm that you want it.`,
        },
        { kind: 'button', label: 'Yes, send me the newsletter', url },
        {
          kind: 'note',
          text: 'The link works for 30 days. If you did not sign up, ignore this email and you will not hear from us again.',
          isFixed: true,
        },
      ],
    },
    association,
  )
}

/** Sent to an address that is already subscribed: the response on the page is the same for every address. */
function alreadySubscribedEmail(unsubscribeUrl: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'You are already subscribed',
      preview: 'Nothing has changed: you still receive our newsletter.',
      heading: 'You are already subscribed',
      blocks: [
        {
          kind: 'text',
          text: 'Someone, probably you, signed up for our newsletter with this address. You already receive it, so nothing has changed. If it does not arrive, check your spam folder.',
        },
        { kind: 'link', lead: 'Want to stop?', label: 'Unsubscribe', url: unsubscribeUrl },
      ],
    },
    association,
  )
}

/** Confirms that the address was unsubscribed, with a link to undo it in case someone else did it (docs/product-rules.md#unsubscribing). */
function unsubscribedEmail(undoUrl: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'You have been unsubscribed',
      preview: 'We will not send newsletters to this address.',
      heading: 'You have been unsubscribed',
      blocks: [
        {
          kind: 'text',
          text: 'This address was removed from our newsletter list. There is nothing else you need to do.',
        },
        { kind: 'text', text: 'If this was a mistake, or not you, you can resubscribe with one tap:' },
        { kind: 'button', label: 'Resubscribe', url: undoUrl },
      ],
    },
    association,
  )
}

function confirmationLink(subscriberId: string, { secrets, clock, siteUrl }: AppContext): string {
  const token = createConfirmationToken(secrets, { subscriberId, issuedAt: clock.now() })
  return secretLink(siteUrl, '/newsletter/confirm', { token })
}

export const sendNewsletterConfirmation = defineEmail({
  kind: 'email.newsletter_confirmation',
  name: 'Newsletter confirmation',
  samples: (_name, association) => ({
    'newsletter, to confirm': confirmationEmail(SAMPLE_URL, association),
    'newsletter, already subscribed': alreadySubscribedEmail(SAMPLE_URL, association),
  }),
  payload: z.object({ subscriberId: z.string() }),
  subject: 'subscriberId',
  priority: 'personal',
  purpose: 'reply',
  async compose({ subscriberId }, tools: AppContext) {
    const { db, siteUrl, association } = tools
    const subscriber = await findSubscriber(db, subscriberId)
    if (!subscriber) return null
    const message =
      subscriber.state === 'subscribed'
        ? alreadySubscribedEmail(`${siteUrl}/newsletter/unsubscribe`, await association())
        : confirmationEmail(confirmationLink(subscriber.id, tools), await association())
    return { ...message, to: subscriber.email }
  },
})

export const sendNewsletterUnsubscribed = defineEmail({
  kind: 'email.newsletter_unsubscribed',
  name: 'Newsletter unsubscribed',
  samples: (_name, association) => ({ 'newsletter, unsubscribed': unsubscribedEmail(SAMPLE_URL, association) }),
  payload: z.object({ subscriberId: z.string() }),
  subject: 'subscriberId',
  priority: 'personal',
  async compose({ subscriberId }, tools: AppContext) {
    const subscriber = await findSubscriber(tools.db, subscriberId)
    if (subscriber?.state !== 'left') return null
    return {
      ...unsubscribedEmail(confirmationLink(subscriber.id, tools), await tools.association()),
      to: subscriber.email,
    }
  },
})
