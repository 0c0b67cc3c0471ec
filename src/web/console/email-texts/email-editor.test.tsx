import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { saveByKey } from '#tests/support/web/console-test-helpers.tsx'
import type { EmailWording } from '#contract/console/emails/email-wordings.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { Toasts } from '../ui/toasts.tsx'
import EmailTextPage from './email-editor.tsx'
import EmailTextsPage from './email-texts.tsx'

const api = useFakeApi()
const PATH = '/api/console/email-texts/welcome'
const text = (part: 'subject' | 'text', original: string, samples = ['welcome', 'welcome for life']) => ({
  part,
  original,
  text: original,
  placeholders: ['first_name', 'level_name'],
  required: [],
  samples,
})
const email: EmailWording = {
  id: 'welcome',
  name: 'Welcome to the membership',
  version: 'one',
  samples: ['welcome', 'welcome for life'],
  texts: [
    text('subject', 'Welcome, {{first_name}}'),
    text('text', 'It renews.', ['welcome']),
    text('text', 'It never ends.', ['welcome for life']),
  ],
  unused: [],
  revisions: [],
}

beforeEach(() => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on(`GET ${PATH}`, { body: email })
  api.current.on(`POST ${PATH}/preview`, { body: { subject: 'Welcome, Anagha', html: '<p>Hi</p>', text: 'Hi' } })
})

const open = () =>
  renderPage(
    () => (
      <>
        <EmailTextPage id="welcome" />
        <Toasts />
      </>
    ),
    { at: '/console/email-texts/welcome' },
  )

test('a text is changed with placeholders, refused under its field, saved, and undone', async () => {
  const { person } = open()
  const subject = await screen.findByLabelText<HTMLInputElement>('Subject')
  // Texts of other variants are shown with their variant.
  expect(screen.queryByDisplayValue('It never ends.')).toBeNull()
  await person.selectOptions(screen.getByLabelText('Variant'), 'Welcome for life')
  screen.getByDisplayValue('It never ends.')

  await person.clear(subject)
  await person.type(subject, 'Namaste ')
  await person.click(screen.getByRole('button', { name: 'Insert {{first_name}} into: Subject' }))
  expect(subject.value).toBe('Namaste {{first_name}}')
  const refusal = 'This email has no value {{x}}.'
  api.current.on(`PUT ${PATH}`, errorResponse(400, 'INVALID_INPUT', 'x', { 'texts.0.text': refusal }))
  await saveByKey(person)
  await screen.findByText(refusal)
  const change = { part: 'subject', original: 'Welcome, {{first_name}}', text: 'Namaste {{first_name}}' }
  const texts = email.texts.map((one) => (one.part === 'subject' ? { ...one, text: change.text } : one))
  api.current.on(`PUT ${PATH}`, { body: { ...email, version: 'two', texts } }, { body: { ...email, version: 'three' } })
  await saveByKey(person)
  await screen.findByText('Saved. Emails from now on have these texts.')
  expect(api.current.requestsTo(`PUT ${PATH}`)[1]?.body).toEqual({ texts: [change], version: 'one' })
  await person.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(api.current.requestsTo(`PUT ${PATH}`)[2]?.body).toEqual({ texts: [], version: 'two' }))
  await waitFor(() => expect(subject.value).toBe('Welcome, {{first_name}}'))
})

test('a test email has the unsaved texts', async () => {
  api.current.on(`POST ${PATH}/test`, { body: { email: 'me@example.org' } })
  const { person } = open()
  await person.type(await screen.findByLabelText('Subject'), '!')
  await person.click(screen.getByRole('button', { name: 'Send test' }))
  await screen.findByText('Test email sent to me@example.org.')
  expect(api.current.requestsTo(`POST ${PATH}/test`)[0]?.body).toMatchObject({
    sample: 'welcome',
    texts: [{ text: 'Welcome, {{first_name}}!' }],
  })
})

test('the list says what was changed, and what a newer release no longer uses', async () => {
  const line = { name: 'Welcome', subject: 'Welcome, Anagha', changed: 0, unused: 0 }
  api.current.on('GET /api/console/email-texts', {
    body: {
      emails: [
        { ...line, id: 'welcome' },
        { ...line, id: 'receipt', name: 'Receipt', changed: 2 },
        { ...line, id: 'refund', name: 'Refund', changed: 1, unused: 1 },
      ],
    },
  })
  renderPage(EmailTextsPage, { at: '/console/email-texts?changed=yes' })
  const receipt = await screen.findByRole('row', { name: /Receipt/ })
  within(receipt).getByText('2 texts changed')
  within(screen.getByRole('row', { name: /Refund/ })).getByText('1 to review')
  expect(screen.queryByRole('link', { name: 'Welcome' })).toBeNull()
})
