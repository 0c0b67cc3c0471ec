import { screen, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { errorResponse, useFakeApi } from '#tests/support/web/fake-api.ts'
import { NewsletterCard } from './newsletter-card.tsx'
import NewsletterConfirmPage from './newsletter-confirm.tsx'
import NewsletterSubscribePage from './newsletter-subscribe.tsx'
import NewsletterSuccessPage from './newsletter-success.tsx'
import NewsletterUnsubscribePage from './newsletter-unsubscribe.tsx'
import NewsletterUnsubscribedPage from './newsletter-unsubscribed.tsx'
import { renderPage, stubBotCheck } from '#tests/support/web/page-test-helpers.tsx'

const api = useFakeApi()
const SUBSCRIBE = 'POST /api/newsletter/subscribe'
const UNSUBSCRIBE = 'POST /api/newsletter/unsubscribe'
const CONFIRM = 'POST /api/newsletter/confirm'
const SENT = { body: { success: true, message: 'Check your email to confirm!' } }
const email = () => screen.getByLabelText<HTMLInputElement>('Email')
const linkTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

beforeEach(() => stubBotCheck())

describe('the card of the home page', () => {
  async function send(address = 'leela@example.com') {
    const view = renderPage(NewsletterCard, { at: '/card' })
    if (address) await view.person.type(email(), address)
    await view.person.click(screen.getByRole('button', { name: /^Subscribe/ }))
    return view
  }
  const outcome = () => document.getElementById('newsletter-outcome')?.textContent ?? ''

  test('sends the address with its source, thanks and is empty again', async () => {
    api.current.on(SUBSCRIBE, SENT)
    await send()
    await waitFor(() =>
      expect(outcome()).toBe('Successfully subscribed to the newsletter! Check your email to confirm!'),
    )
    expect(email().value).toBe('')
    expect(api.current.requestsTo(SUBSCRIBE)[0]?.body).toEqual({
      email: 'leela@example.com',
      source: 'homepage',
      recaptchaToken: 'token for newsletter_subscribe',
    })
  })

  test('is sent once while it loads', async () => {
    api.current.on(SUBSCRIBE, 'never')
    const { person } = await send()
    await person.click(screen.getByRole('button', { name: 'Sending' }))
    await waitFor(() => expect(api.current.requestsTo(SUBSCRIBE)).toHaveLength(1))
  })

  test.each([
    ['no sentence', { status: 500 }, 'Something went wrong. Please try again.'],
    [
      'a sentence',
      errorResponse(400, 'INVALID_INPUT', 'Please enter a valid email address'),
      'Please enter a valid email address',
    ],
    ['no network', 'no network' as const, 'Network error. Please check your connection and try again.'],
  ])('an error with %s disappears on typing', async (_, answer, sentence) => {
    api.current.on(SUBSCRIBE, answer)
    const { person } = await send()
    await waitFor(() => expect(outcome()).toBe(sentence))
    expect(email().value).toBe('leela@example.com')
    await waitFor(() => expect(document.activeElement).toBe(email()))
    await person.type(email(), 'x')
    expect(outcome()).toBe('')
  })

  test('a failed bot check shows the network error', async () => {
    stubBotCheck(() => Promise.reject(new Error('blocked')))
    await send()
    await waitFor(() => expect(outcome()).toBe('Network error. Please check your connection and try again.'))
    expect(api.current.sent).toEqual([])
  })

  test('empty it asks for the address', async () => {
    await send('')
    await waitFor(() => expect(outcome()).toBe('Please enter your email address'))
  })
})

describe.each([
  ['subscribing', NewsletterSubscribePage, /^Subscribe/, SUBSCRIBE, 'Failed to subscribe. Please try again.'],
  ['leaving', NewsletterUnsubscribePage, /^Unsubscribe/, UNSUBSCRIBE, 'Failed to unsubscribe. Please try again.'],
])('%s', (_, Page, button, call, refused) => {
  async function send(address: string) {
    const view = renderPage(Page, { at: '/newsletter/page' })
    if (address) await view.person.type(email(), address)
    await view.person.click(screen.getByRole('button', { name: button }))
    return view
  }

  test('shows the server’s message and empties the field', async () => {
    api.current.on(call, { body: { success: true, message: 'Done.' } })
    await send('  leela@example.com ')
    expect((await screen.findAllByText('Done.')).length).toBeGreaterThan(0)
    expect(api.current.requestsTo(call)[0]?.body).toMatchObject({ email: 'leela@example.com' })
    expect(email().value).toBe('')
  })

  test.each(['', '   '])('%j asks for the address', async (address) => {
    await send(address)
    await screen.findByRole('link', { name: 'Please enter your email address' })
    expect(api.current.sent).toEqual([])
  })

  test.each([
    [{ status: 500 }, refused],
    [errorResponse(429, 'RATE_LIMITED', 'Too many attempts. Please wait.'), 'Too many attempts. Please wait.'],
    ['no network' as const, 'An error occurred. Please try again.'],
  ])('a failure (%j) keeps the address', async (answer, sentence) => {
    api.current.on(call, answer)
    await send('leela@example.com')
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    expect(email().value).toBe('leela@example.com')
  })
})

test.each([
  ['in the browser', () => stubBotCheck(() => Promise.reject(new Error('blocked')))],
  [
    'on the server',
    () =>
      api.current.on(
        SUBSCRIBE,
        errorResponse(400, 'BOT_CHECK_FAILED', 'Security verification failed. Please try again.'),
      ),
  ],
])('a bot check that fails %s shows two banners', async (_, fail) => {
  fail()
  const { person } = renderPage(NewsletterSubscribePage, { at: '/newsletter/subscribe' })
  await person.type(email(), 'leela@example.com')
  await person.click(screen.getByRole('button', { name: /^Subscribe/ }))
  expect((await screen.findByRole('alert')).textContent).toBe('Security verification failed. Please try again.')
  screen.getByText('Security verification failed. Please refresh the page and try again.')
})

describe('the links', () => {
  test('of the subscribe page', () => {
    renderPage(NewsletterSubscribePage, { at: '/newsletter/subscribe' })
    expect(linkTo('Unsubscribe')).toBe('/newsletter/unsubscribe')
  })

  test('of the unsubscribe page, with its note about the newsletter', () => {
    renderPage(NewsletterUnsubscribePage, { at: '/newsletter/unsubscribe' })
    expect(linkTo('Contact us')).toBe('/contact')
    screen.getByText('About the newsletter')
  })

  test('after subscribing', () => {
    renderPage(NewsletterSuccessPage, { at: '/newsletter/success', loaderData: { latest: null } })
    screen.getByRole('heading', { level: 1, name: 'You are subscribed' })
    screen.getByText("You're on the list. The next newsletter will come to your inbox.")
    expect([linkTo('Back to home'), linkTo('Read the news')]).toEqual(['/', '/news'])
  })

  test('after confirming, the latest newsletter can be read at once', () => {
    const latest = {
      name: 'A lamp in every window',
      subject: 'From our homes to yours',
      sentAt: '2026-11-06T14:00:00Z',
      address: '/newsletter/view/lamp',
      picture: '/art/newsletter/lamp.svg',
    }
    renderPage(NewsletterSuccessPage, { at: '/newsletter/success', loaderData: { latest } })
    screen.getByText("You're on the list. Here's the latest issue.")
    screen.getByText('November 6, 2026')
    expect(linkTo('A lamp in every window')).toBe('/newsletter/view/lamp')
  })

  test('after unsubscribing', () => {
    renderPage(NewsletterUnsubscribedPage, { at: '/newsletter/unsubscribed' })
    screen.getByRole('heading', { level: 1, name: 'You are unsubscribed' })
    expect([linkTo('Back to home'), linkTo('Unsubscribe another address')]).toEqual(['/', '/newsletter/unsubscribe'])
  })
})

describe('the page that the email links to', () => {
  const press = async () => {
    const view = renderPage(NewsletterConfirmPage, { at: '/newsletter/confirm?token=abc' })
    expect(api.current.sent).toEqual([])
    await view.person.click(screen.getByRole('button', { name: /^Yes, send me/ }))
    return view
  }

  test('does nothing until its button is clicked', async () => {
    api.current.on(CONFIRM, { body: { success: true, message: 'You are subscribed to the newsletter.' } })
    await press()
    await screen.findByText('At /newsletter/success')
    expect(api.current.requestsTo(CONFIRM)[0]?.body).toEqual({ token: 'abc' })
    expect(window.location.search).toBe('')
  })

  test('a click from before hydration confirms as well', async () => {
    api.current.on(CONFIRM, { body: { success: true, message: 'You are subscribed to the newsletter.' } })
    // Like entry.client.tsx, replays the click with the effects that read the URL.
    function EarlyPress() {
      useEffect(() => screen.getByRole('button', { name: /^Yes, send me/ }).click(), [])
      return null
    }
    const Page = () => [<NewsletterConfirmPage key="page" />, <EarlyPress key="press" />]
    renderPage(Page, { at: '/newsletter/confirm?token=abc' })
    await screen.findByText('At /newsletter/success')
    expect(api.current.requestsTo(CONFIRM).map(({ body }) => body)).toEqual([{ token: 'abc' }])
  })

  test.each([
    [
      errorResponse(410, 'NEWSLETTER_LINK_EXPIRED', 'This link has expired. Please subscribe again.'),
      'This link has expired. Please subscribe again.',
    ],
    [{ status: 500 }, 'Failed to subscribe. Please try again.'],
    ['no network' as const, 'An error occurred. Please try again.'],
  ])('a failure (%j) offers a new link', async (answer, sentence) => {
    api.current.on(CONFIRM, answer)
    await press()
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    expect(linkTo('Request a new link')).toBe('/newsletter/subscribe')
  })

  test('without a token shows an error', async () => {
    const { person } = renderPage(NewsletterConfirmPage, { at: '/newsletter/confirm' })
    await person.click(screen.getByRole('button', { name: /^Yes, send me/ }))
    expect((await screen.findByRole('alert')).textContent).toBe(
      'This link is incomplete. Please open the link in the email again.',
    )
  })
})

describe('unsubscribing with a newsletter’s link', () => {
  const LEAVE = 'POST /api/newsletter/leave'
  const press = async () => {
    const view = renderPage(NewsletterUnsubscribePage, { at: '/newsletter/unsubscribe?token=abc.def' })
    expect(screen.queryByLabelText('Email')).toBeNull()
    expect(api.current.sent).toEqual([])
    await view.person.click(await screen.findByRole('button', { name: 'Unsubscribe me' }))
  }

  test('takes one click, and no address', async () => {
    api.current.on(LEAVE, { body: { success: true, message: 'You have been unsubscribed from the newsletter.' } })
    await press()
    await screen.findByText('At /newsletter/unsubscribed')
    expect(api.current.requestsTo(LEAVE)[0]?.body).toEqual({ token: 'abc.def' })
    expect(window.location.search).toBe('')
  })

  test('an invalid link asks for the address', async () => {
    api.current.on(
      LEAVE,
      errorResponse(
        410,
        'NEWSLETTER_LINK_INVALID',
        'This link does not match any subscription. Please type your address instead.',
      ),
    )
    await press()
    expect((await screen.findByRole('alert')).textContent).toContain('type your address')
    expect(email()).toBeTruthy()
  })
})
