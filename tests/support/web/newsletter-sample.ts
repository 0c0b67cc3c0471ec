import type { NewsletterDetail } from '#contract/console/newsletter.ts'

export const newsletterDraft: NewsletterDetail = {
  id: 'n1',
  name: 'Spring',
  subject: 'News of spring',
  snippet: 'What is new.',
  state: 'draft',
  updatedAt: '2030-03-02T15:04:05.000Z',
  sentAt: null,
  scheduledFor: null,
  blocks: [{ kind: 'text', markdown: 'Hello' }],
  version: 3,
  readers: 158,
  audience: { subscribed: 158, pending: 2, left: 12, bounced: 9, complained: 0 },
  results: null,
  refused: null,
  mailing: null,
  choices: { events: [{ id: 'gala', title: 'Gala' }], news: [] },
}
