import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

const api = useConsoleApi()
const READ = 'GET /api/console/setup'

const STEPS = ['mail', 'cards', 'bot-check', 'dues', 'texts', 'policies']
const UNFINISHED = [
  { kind: 'pages', id: 'privacy-policy', name: 'Privacy policy', fields: [], isDraft: true },
  { kind: 'settings-association', id: 'all', name: 'The association', fields: ['Street'], isDraft: false },
]
const setup = (done: string[], over: object = {}) => ({
  body: {
    isOpen: false,
    steps: STEPS.map((step) => ({ step, isDone: done.includes(step) })),
    optional: ['brand', 'pictures'].map((one) => ({ step: one, isDone: done.includes(one) })),
    unfinished: done.includes('texts') ? [] : UNFINISHED,
    providers: {
      mail: { source: 'missing', from: '', testAddress: 'nandini@example.com' },
      cards: { source: 'missing', isLive: false, webhookUrl: 'https://x.org/api/stripe/webhook', lastEventAt: null },
      botCheck: { source: 'environment' },
    },
    startedAt: 1,
    ...over,
  },
})

const step = (title: string) => within(screen.getByRole('region', { name: title }))

test('says which steps are left; the site cannot be opened before', async () => {
  api.current.on(READ, setup(['bot-check']))
  openConsole('/console/setup')
  await screen.findByText('5 steps are left.')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Open the site/ }).disabled).toBe(true)
  step('Bot check').getByText('Done')
  step('Bot check').getByText(/The webmaster set this on the server/)
  expect(step('Bot check').queryByRole('button', { name: 'Change' })).toBeNull()
  step('Email').getByText('To do')
  const texts = step('Texts to finish')
  const link = texts.getByRole('link', { name: 'Privacy policy' })
  expect(link.getAttribute('href')).toBe('/console/content/pages/privacy-policy')
  expect(texts.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Privacy policy: Version',
    'The association: Street',
  ])
})

test('a mail server that refuses keeps what was typed; an accepted one restarts the site', async () => {
  const mail = { source: 'console', from: 'SBB <office@example.org>', testAddress: 'nandini@example.com' }
  api.current
    .on(READ, setup([]), setup([], { startedAt: 2, providers: { ...setup([]).body.providers, mail } }))
    .on(
      'POST /api/console/setup/mail',
      { status: 409, body: { code: 'MAIL_SERVER_REFUSED', message: 'The mail server did not accept this.' } },
      { body: { restarts: true } },
    )
  const person = openConsole('/console/setup')
  await screen.findByText('6 steps are left.')
  await person.type(step('Email').getByLabelText('Emails come from: name'), 'SBB')
  await person.type(step('Email').getByLabelText('Emails come from: address'), 'office@example.org')
  await person.type(step('Email').getByLabelText('Mail server'), 'smtp.example.org')
  const send = step('Email').getByRole('button', { name: 'Send a test email and save' })
  await person.click(send)
  expect((await step('Email').findByRole('alert')).textContent).toBe('The mail server did not accept this.')
  expect(step('Email').getByLabelText<HTMLInputElement>('Mail server').value).toBe('smtp.example.org')
  await person.click(send)
  await screen.findByText(/The site restarts to use it/)
  await step('Email').findByText('Emails come from SBB <office@example.org>.')
  expect(api.current.requestsTo('POST /api/console/setup/mail')[1]?.body).toMatchObject({ port: 465, isSecure: true })
  step('Email').getByRole('button', { name: 'The test email arrived' })
})

test('a connected provider can be left as it is', async () => {
  const mail = { source: 'console', from: 'SBB <office@example.org>', testAddress: 'nandini@example.com' }
  api.current.on(READ, setup([], { providers: { ...setup([]).body.providers, mail } }))
  const person = openConsole('/console/setup')
  await screen.findByText('6 steps are left.')
  await person.click(step('Email').getByRole('button', { name: 'Change' }))
  step('Email').getByLabelText('Mail server')
  await person.click(step('Email').getByRole('button', { name: 'Cancel' }))
  step('Email').getByText('Emails come from SBB <office@example.org>.')
})

test('opens when nothing is left, and says so', async () => {
  api.current.on(READ, setup(STEPS), setup(STEPS, { isOpen: true })).on('POST /api/console/setup/open', { status: 204 })
  const person = openConsole('/console/setup')
  await person.click(await screen.findByRole('button', { name: /^Open the site/ }))
  await screen.findByText('The site is open to visitors.')
  screen.getByText(/The keys of Stripe are test keys/)
})

test('of an open site, only the providers are left, and nothing is to do', async () => {
  api.current.on(READ, setup(['bot-check', 'texts'], { isOpen: true }))
  openConsole('/console/setup')
  await screen.findByText('The site is open to visitors.')
  expect(screen.queryByText('To do')).toBeNull()
  for (const title of ['Email', 'Card payments', 'Bot check']) step(title)
  for (const title of ['Dues', 'Texts to finish', 'Policies'])
    expect(screen.queryByRole('region', { name: title })).toBeNull()
})

test('brand and pictures are optional: they lead to their pages, or are confirmed as they are', async () => {
  const CONFIRM = 'POST /api/console/setup/confirm'
  api.current
    .on(READ, setup([...STEPS, 'pictures']), setup([...STEPS, 'brand', 'pictures']))
    .on(CONFIRM, { status: 204 })
  const person = openConsole('/console/setup')
  await screen.findByRole('region', { name: 'Brand' })
  step('Pictures').getByText('Done')
  expect(step('Pictures').queryByRole('button')).toBeNull()
  step('Brand').getByText('Optional')
  const choose = step('Brand').getByRole('link', { name: 'Choose colors, typefaces and your mark' })
  expect(choose.getAttribute('href')).toBe('/console/brand')
  await person.click(step('Brand').getByRole('button', { name: 'Keep the look it comes with' }))
  await step('Brand').findByText('Done')
  expect(api.current.requestsTo(CONFIRM)[0]?.body).toEqual({ step: 'brand' })
})
