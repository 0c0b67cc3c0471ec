import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { errorResponse, useFakeApi } from '#tests/support/web/fake-api.ts'
import ContactPage from './contact.tsx'
import { advanceTime, renderPage, fakeClock, stubBotCheck } from '#tests/support/web/page-test-helpers.tsx'

const api = useFakeApi()
const CONTACT = 'POST /api/contact'
const THANKS = "Thank you! Your message has been sent successfully. We'll get back to you soon."
const SORRY =
  'Sorry, there was an error sending your message. Please try again in a few minutes or email us directly at office@example.org'
const BOT_CHECK = 'Security verification failed. Please refresh the page and try again.'
const fieldOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

beforeEach(() => {
  stubBotCheck()
  Element.prototype.scrollIntoView = () => {}
})
afterEach(() => vi.useRealTimers())

async function send(view = renderPage(ContactPage, { at: '/contact' })) {
  await view.person.type(fieldOf('Name'), 'Leela')
  await view.person.type(fieldOf('Email'), 'leela@example.com')
  if (!fieldOf('Subject').value) await view.person.type(fieldOf('Subject'), 'A question')
  await view.person.type(fieldOf('Message'), 'Whom do we ask?')
  await view.person.click(screen.getByRole('button', { name: /^Send message/ }))
  return view
}

test('it says when to expect a reply, and not to send medical information', () => {
  renderPage(ContactPage, { at: '/contact' })
  screen.getByRole('heading', { level: 1, name: 'Contact Us' })
  screen.getByText('24-48 hours')
  expect(screen.getAllByText(/do not send medical information/).length).toBeGreaterThan(0)
})

test('a subject in the URL is prefilled', () => {
  renderPage(ContactPage, { at: '/contact?subject=Sponsorship+Inquiry' })
  expect(fieldOf('Subject').value).toBe('Sponsorship Inquiry')
})

test('an empty form shows all four errors, with the focus on the first field', async () => {
  const { person } = renderPage(ContactPage, { at: '/contact' })
  await person.click(screen.getByRole('button', { name: /^Send message/ }))
  const links = await screen.findAllByRole('link', { name: /is required$/ })
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Name is required',
    'Email is required',
    'Subject is required',
    'Message is required',
  ])
  await waitFor(() => expect(document.activeElement).toBe(fieldOf('Name')))
  expect(api.current.sent).toEqual([])
})

test('an error disappears when its field is edited', async () => {
  const { person } = renderPage(ContactPage, { at: '/contact' })
  await person.click(screen.getByRole('button', { name: /^Send message/ }))
  await screen.findAllByText('Name is required')
  await person.type(fieldOf('Name'), 'L')
  expect(screen.queryByText('Name is required')).toBeNull()
})

test('a field shows no error while it is edited; errors return on submit', async () => {
  const { person } = renderPage(ContactPage, { at: '/contact' })
  await person.type(fieldOf('Email'), 'leela')
  await person.type(fieldOf('Message'), 'Short')
  await person.clear(fieldOf('Message'))
  expect(screen.queryByText(/is required|Please enter|at least/)).toBeNull()
  await person.type(fieldOf('Message'), 'Short')
  await person.click(screen.getByRole('button', { name: /^Send message/ }))
  const told = () =>
    screen.queryAllByRole('link', { name: /is required|valid email|at least/ }).map((it) => it.textContent)
  await waitFor(() =>
    expect(told()).toEqual([
      'Name is required',
      'Please enter a valid email address',
      'Subject is required',
      'Message must be at least 10 characters long',
    ]),
  )
  await person.type(fieldOf('Email'), '@')
  await person.type(fieldOf('Message'), 'er')
  expect(told()).toEqual(['Name is required', 'Subject is required'])
  await person.click(screen.getByRole('button', { name: /^Send message/ }))
  await waitFor(() => expect(told()).toHaveLength(4))
  expect(fieldOf('Email').getAttribute('aria-invalid')).toBe('true')
  expect(api.current.sent).toEqual([])
})

test('sent: thanks, an empty form, and the banner goes after five seconds', async () => {
  fakeClock()
  api.current.on(CONTACT, { body: { success: true, message: THANKS } })
  await send()
  await waitFor(() => expect(screen.getAllByText(THANKS).length).toBeGreaterThan(0))
  expect(api.current.requestsTo(CONTACT)[0]?.body).toEqual({
    name: 'Leela',
    email: 'leela@example.com',
    subject: 'A question',
    message: 'Whom do we ask?',
    recaptchaToken: 'token for contact_form',
  })
  expect(['Name', 'Email', 'Subject', 'Message'].map((label) => fieldOf(label).value)).toEqual(['', '', '', ''])
  const [banner] = screen.getAllByText(THANKS)
  expect(banner?.compareDocumentPosition(fieldOf('Name'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await advanceTime(5_100)
  expect(screen.queryByText(THANKS)).toBeNull()
  screen.getByText('Sent. We reply within 24-48 hours.')
})

test('a topic fills the subject', async () => {
  const { person } = renderPage(ContactPage, { at: '/contact' })
  const topics = within(screen.getByRole('group', { name: "What's it about?" }))
  await person.click(topics.getByRole('button', { name: /^Sponsorship/ }))
  expect(fieldOf('Subject').value).toBe('Sponsorship Inquiry')
  await person.click(topics.getByRole('button', { name: /^The clinic/ }))
  expect(fieldOf('Subject').value).toBe('The clinic')
  expect(topics.getAllByRole('button', { pressed: true })).toHaveLength(1)
})

test('the next message starts without errors, also after an incomplete first attempt', async () => {
  api.current.on(CONTACT, { body: { success: true, message: THANKS } })
  const { person } = renderPage(ContactPage, { at: '/contact?subject=A+question' })
  await person.type(fieldOf('Email'), 'leela@example.com')
  await person.type(fieldOf('Message'), 'Whom do we ask?')
  await person.click(screen.getByRole('button', { name: /^Send message/ }))
  await screen.findAllByText('Name is required')
  await person.type(fieldOf('Name'), 'Leela')
  await person.click(screen.getByRole('button', { name: /^Send message/ }))
  await waitFor(() => expect(screen.getAllByText(THANKS).length).toBeGreaterThan(0))
  await person.click(fieldOf('Subject'))
  await person.type(fieldOf('Email'), 'l')
  expect(screen.queryByText(/is required/)).toBeNull()
})

describe('a failure keeps the form’s values', () => {
  test.each([
    ['a server error', { status: 500 }],
    ['no network', 'no network' as const],
  ])('%s', async (_, answer) => {
    api.current.on(CONTACT, answer)
    await send()
    expect((await screen.findByRole('alert')).textContent).toBe(SORRY)
    expect(fieldOf('Message').value).toBe('Whom do we ask?')
    expect(screen.queryByText(BOT_CHECK)).toBeNull()
  })

  test('too many messages: the usual message, with the figures only logged', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    api.current.on(CONTACT, errorResponse(429, 'RATE_LIMITED', 'Too many attempts.'))
    await send()
    expect((await screen.findByRole('alert')).textContent).toBe(SORRY)
    expect(screen.queryByText('Too many attempts.')).toBeNull()
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  test.each([
    ['the bot check in the browser', () => stubBotCheck(() => Promise.reject(new Error('blocked')))],
    ['the bot check on the server', () => api.current.on(CONTACT, errorResponse(400, 'BOT_CHECK_FAILED', BOT_CHECK))],
  ])('%s adds its message', async (_, fail) => {
    fail()
    await send()
    expect((await screen.findByRole('alert')).textContent).toBe(SORRY)
    screen.getByText(BOT_CHECK)
    expect(fieldOf('Message').value).toBe('Whom do we ask?')
  })
})
