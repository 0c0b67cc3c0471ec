import { beforeAll, expect, test } from 'vitest'
import type { ChangedText, EmailWording, EmailWordingLine } from '#contract/console/emails/email-wordings.ts'
import { EMAILS } from '#server/composition/effects.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { officerWith } from '#tests/support/officers.ts'
import { association } from '#tests/support/association.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const TEXTS = '/api/console/email-texts'
const GREETING: Omit<ChangedText, 'text'> = {
  part: 'text',
  original: 'Your message has arrived. A person will read it and reply within {{reply_time}}.',
}
let editor: TestBrowser

beforeAll(async () => {
  editor = await officerWith(app(), ['editor'])
})

const read = async (id: string) => (await editor.get(`${TEXTS}/${id}`)).body as EmailWording

async function save(id: string, texts: ChangedText[]) {
  const { version } = await read(id)
  return editor.call('PUT', `${TEXTS}/${id}`, { texts, version })
}

async function contactReplyTo(address: string) {
  const body = { name: 'A Visitor', email: address, subject: 'Hello', message: 'When is the clinic, please?' }
  const visitor = app().browser()
  await visitor.post('/api/contact', { ...body, recaptchaToken: await visitor.botToken('contact_form') })
  await app().drain()
  return app().standins.mails(address)[0]
}

test('every email whose wording is not fixed is listed, with its subject', async () => {
  const { emails } = (await editor.get(TEXTS)).body as { emails: EmailWordingLine[] }
  expect(emails.map(({ name }) => name).sort()).toEqual(
    EMAILS.filter(({ isFixed }) => !isFixed)
      .map(({ name }) => name)
      .sort(),
  )
  expect(emails.find(({ id }) => id === 'welcome')?.subject).toMatch(/^Welcome to the /)
})

test('a changed text is sent with its values, is in the audit log, and is reset and restored', async () => {
  const text = 'We got it, and {{association_short_name}} answers soon.\nThank you.'
  const saved = (await save('contact-received', [{ ...GREETING, text }])).body as EmailWording
  expect(saved.texts.find(({ original }) => original === GREETING.original)?.text).toBe(text)
  const email = await contactReplyTo('one@example.com')
  expect(email?.text).toContain(`We got it, and ${association.shortName} answers soon.\nThank you.`)
  expect(email?.html).toContain('<br />Thank you.')
  expect(email?.text).not.toContain('reply within 24-48 hours.\n')

  const { entries } = (await (await officerWith(app(), ['president'])).get('/api/console/audit')).body as {
    entries: { text: { after: string; before: string } }[]
  }
  expect(JSON.stringify(entries)).toContain('Contact received')

  const reset = (await save('contact-received', [])).body as EmailWording
  expect((await contactReplyTo('two@example.com'))?.text).toContain('reply within 24-48 hours.')
  const [, changed] = reset.revisions
  const { version } = reset
  const restored = await editor.post(`${TEXTS}/contact-received/restore`, { number: changed?.number, version })
  expect((restored.body as EmailWording).texts.find(({ original }) => original === GREETING.original)?.text).toBe(text)
  await save('contact-received', [])
})

test('an unknown placeholder, an empty text and a line break in a subject are refused with a sentence', async () => {
  const problems = async (id: string, change: ChangedText) => (await save(id, [change])).body.errors
  expect(await problems('contact-received', { ...GREETING, text: 'Dear {{first_nam}},' })).toEqual({
    'texts.0.text': expect.stringMatching(
      /^This email has no value \{\{first_nam\}\}\. Use one of \{\{association_email\}\}/,
    ),
  })
  expect(await problems('contact-received', { ...GREETING, text: 'Dear {{name' })).toEqual({
    'texts.0.text': 'A placeholder is incomplete. Write it like {{first_name}}.',
  })
  expect(await problems('contact-received', { ...GREETING, text: ' ' })).toEqual({
    'texts.0.text': 'Please write a text. It cannot be left empty.',
  })
  const subject = { part: 'subject', original: 'We received your message', text: 'Two\nlines' } as const
  expect(await problems('contact-received', subject)).toEqual({
    'texts.0.text': 'Please write this text on one line.',
  })
  const unknown = { ...GREETING, original: 'No such text', text: 'New' }
  expect(await problems('contact-received', unknown)).toEqual({
    'texts.0.text': 'The original of this text has changed. Please reload.',
  })
})

test('an email about security keeps its values and its notes', async () => {
  const { texts } = await read('password-changed')
  expect(texts.some(({ part }) => part === 'note')).toBe(false)
  const text = texts.find(({ required }) => required.includes('first_name'))
  if (!text) throw new Error('The email has no text with the name.')
  const { body } = await save('password-changed', [{ part: text.part, original: text.original, text: 'All is well.' }])
  expect(body.errors).toEqual({ 'texts.0.text': expect.stringContaining('Please keep {{first_name}}') })
})

test('a preview and a test email have the unsaved texts and sample values', async () => {
  const { texts, samples } = await read('welcome')
  const heading = texts.find(({ part }) => part === 'heading')
  const change = { part: 'heading' as const, original: heading?.original ?? '', text: 'Namaste {{first_name}}' }
  const trial = { texts: [change], sample: samples[0] ?? '' }
  const { html, text } = (await editor.post(`${TEXTS}/welcome/preview`, trial)).body as { html: string; text: string }
  expect(html).toContain('Namaste Anagha')
  expect(text).toContain('Namaste Anagha')
  const { email } = (await editor.post(`${TEXTS}/welcome/test`, trial)).body as { email: string }
  await app().drain()
  const [sent] = app()
    .standins.mails(email)
    .filter(({ subject }) => subject.startsWith('[Test] '))
  expect(sent?.text).toContain('Namaste Anagha')
  expect((await read('welcome')).revisions).toEqual([])
})

test('two officers do not overwrite each other, and fixed emails and other roles are refused', async () => {
  const { version } = await read('refund')
  const change = async () => editor.call('PUT', `${TEXTS}/refund`, { texts: [], version })
  expect((await change()).status).toBe(200)
  expect((await change()).body.code).toBe('CHANGED_MEANWHILE')
  expect((await editor.get(`${TEXTS}/alert`)).status).toBe(404)
  const treasurer = await officerWith(app(), ['treasurer'])
  expect((await treasurer.get(TEXTS)).status).toBe(403)
})
