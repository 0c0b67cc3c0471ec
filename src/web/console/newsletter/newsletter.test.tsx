import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { saveByKey } from '#tests/support/web/console-test-helpers.tsx'
import { newsletterDraft as draft } from '#tests/support/web/newsletter-sample.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { advanceTime, renderPage, fakeClock } from '#tests/support/web/page-test-helpers.tsx'
import NewsletterPage from './newsletter.tsx'

const api = useFakeApi()
const PATH = '/api/console/newsletters/n1'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))
afterEach(() => void vi.useRealTimers())

test('after a save the preview is of the new version, even if the one before is still loading', async () => {
  const preview = (text: string) => ({
    body: { subject: draft.subject, path: 'about:blank', html: '<p>Hello</p>', text },
  })
  api.current.on(`GET ${PATH}`, { body: draft })
  api.current.on(`GET ${PATH}/preview`, 'never', preview('Hello all'))
  const { person } = renderPage(() => <NewsletterPage id="n1" />, { at: '/console/newsletter/n1' })
  await person.type(await screen.findByLabelText('Text'), ' all')
  await waitFor(() => expect(api.current.requestsTo(`GET ${PATH}/preview`)).toHaveLength(1))
  api.current.on(`PUT ${PATH}`, { body: { ...draft, version: 4, blocks: [{ kind: 'text', markdown: 'Hello all' }] } })
  await saveByKey(person)
  await screen.findByText('All changes saved.')
  await person.click(screen.getByRole('button', { name: 'Plain text' }))
  await screen.findByText('Hello all', { selector: 'pre' })
})

test('blocks are kept over a lost network, refused under their field, saved; sending asks once more with the count', async () => {
  api.current.on(`GET ${PATH}`, { body: draft })
  api.current.on(`GET ${PATH}/preview`, {
    body: { subject: draft.subject, path: 'about:blank', html: '<p>Hello</p>', text: 'Hello' },
  })
  api.current.on(`PUT ${PATH}`, 'no network')
  const page = () => renderPage(() => <NewsletterPage id="n1" />, { at: '/console/newsletter/n1' })
  const first = page()
  await first.person.type(await screen.findByLabelText('Text'), ' all')
  await first.person.click(
    within(screen.getByRole('group', { name: 'Add a block' })).getByRole('button', { name: 'Button' }),
  )
  await first.person.type(screen.getByLabelText('Button text'), 'Join')
  await saveByKey(first.person)
  await screen.findByText(/We couldn’t reach the site/)
  first.unmount()

  const { person } = page()
  await screen.findByText('We restored your unsaved draft.')
  await person.click(screen.getByRole('button', { name: 'Move Button 2 up' }))
  api.current.on(
    `PUT ${PATH}`,
    errorResponse(400, 'INVALID_INPUT', 'Please enter an address', { 'blocks.0.url': 'Please enter an address' }),
  )
  await saveByKey(person)
  expect((await screen.findByLabelText('Button link')).getAttribute('aria-invalid')).toBe('true')
  const blocks = [
    { kind: 'button' as const, label: 'Join', url: '/join' },
    { kind: 'text' as const, markdown: 'Hello all' },
  ]
  api.current.on(`PUT ${PATH}`, { body: { ...draft, version: 4, blocks } })
  await person.type(screen.getByLabelText('Button link'), '/join')
  await saveByKey(person)
  await screen.findByText('All changes saved.')
  expect(api.current.sent.findLast(({ method }) => method === 'PUT')?.body).toMatchObject({ version: 3, blocks })

  await person.click(screen.getByRole('button', { name: 'Send now' }))
  const dialog = await screen.findByRole('dialog', { name: 'Send to 158 subscribers?' })
  expect(api.current.sent.filter(({ path }) => path.endsWith('/send'))).toEqual([])
  const mailing = {
    recipients: 158,
    accepted: 158,
    waiting: 0,
    bounced: 0,
    failed: 0,
    uncertain: 0,
    skipped: 0,
    lastError: null,
  }
  api.current.on(`POST ${PATH}/send`, { body: { ...draft, version: 4, state: 'finished', mailing } })
  await person.click(within(dialog).getByRole('button', { name: 'Send' }))
  await screen.findByRole('heading', { name: 'Results' })
  expect(api.current.sent.findLast(({ path }) => path.endsWith('/send'))?.body).toEqual({ version: 4, at: null })
})

test('the text of a block is formatted with the toolbar that pages have', async () => {
  api.current.on(`GET ${PATH}`, { body: draft }).on(`GET ${PATH}/preview`, {
    body: { subject: draft.subject, path: 'about:blank', html: '<p>Hello</p>', text: 'Hello' },
  })
  const { person } = renderPage(() => <NewsletterPage id="n1" />, { at: '/console/newsletter/n1' })
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Text')
  field.focus()
  field.setSelectionRange(0, 5)
  const tools = screen.getByRole('toolbar', { name: 'Format Text' })
  await person.click(within(tools).getByRole('button', { name: 'Bold' }))
  expect(field.value).toBe('**Hello**')
  api.current.on(`PUT ${PATH}`, { body: { ...draft, version: 4, blocks: [{ kind: 'text', markdown: '**Hello**' }] } })
  await saveByKey(person)
  await screen.findByText('All changes saved.')
  expect(api.current.requestsTo(`PUT ${PATH}`)[0]?.body).toMatchObject({
    blocks: [{ kind: 'text', markdown: '**Hello**' }],
  })
})

test('a picture is chosen, not typed: drawings are not offered, and what it shows comes along', async () => {
  const picture = {
    key: 'articles/lamp.jpg',
    url: '/media/home/articles/lamp.jpg?v=1',
    filename: 'lamp.jpg',
    name: 'lamp.jpg',
    bucket: 'home',
    folder: 'articles',
    size: 9,
    lastModified: '2030-01-01T00:00:00.000Z',
    alt: 'A lamp',
    caption: null,
    person: null,
    address: '/media/home/articles/lamp.jpg',
    usedIn: [],
  }
  const drawing = { ...picture, key: 'articles/mark.svg', filename: 'mark.svg', alt: 'Our mark' }
  const folder = {
    bucket: 'home',
    folder: 'articles',
    label: 'For events',
    use: '',
    hasCaptions: false,
    hasPeople: false,
    count: 2,
  }
  const pictures = { pictures: [picture, drawing], total: 2, pages: 1, undescribed: 0 }
  api.current
    .on(`GET ${PATH}`, { body: draft })
    .on(`GET ${PATH}/preview`, {
      body: { subject: draft.subject, path: 'about:blank', html: '<p>Hello</p>', text: 'Hello' },
    })
    .on('GET /api/console/media', { body: { folders: [folder], ...pictures, people: [], drawings: [] } })
    .on(`PUT ${PATH}`, errorResponse(400, 'INVALID_INPUT', 'x', { 'blocks.1.src': 'Please enter an address' }))
  const { person } = renderPage(() => <NewsletterPage id="n1" />, { at: '/console/newsletter/n1' })
  const add = await screen.findByRole('group', { name: 'Add a block' })
  await person.click(within(add).getByRole('button', { name: 'Image' }))
  await saveByKey(person)
  await screen.findByText('Choose an image.')
  await person.click(screen.getByRole('button', { name: 'Choose image for Image 2' }))
  const dialog = await screen.findByRole('dialog', { name: 'Choose image' })
  await person.click(await within(dialog).findByRole('button', { name: /A lamp/ }))
  expect(within(dialog).queryByText('Our mark')).toBeNull()
  expect(screen.getByLabelText<HTMLInputElement>('Alt text').value).toBe('A lamp')
  screen.getByRole('button', { name: 'Choose another image for Image 2' })
  const chosen = { kind: 'picture' as const, src: picture.address, alt: 'A lamp' }
  api.current.on(`PUT ${PATH}`, { body: { ...draft, version: 4, blocks: [...(draft.blocks ?? []), chosen] } })
  await saveByKey(person)
  await screen.findByText('All changes saved.')
  expect(api.current.sent.findLast(({ method }) => method === 'PUT')?.body).toMatchObject({
    blocks: [{ kind: 'text', markdown: 'Hello' }, chosen],
  })
})

const showsDraft = () =>
  api.current.on(`GET ${PATH}`, { body: draft }).on(`GET ${PATH}/preview`, {
    body: { subject: draft.subject, path: 'about:blank', html: '<p>Hello</p>', text: 'Hello' },
  })
const openDraft = () => renderPage(() => <NewsletterPage id="n1" />, { at: '/console/newsletter/n1' })
const textBlock = (markdown: string) => [{ kind: 'text' as const, markdown }]
const isOff = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled

test('it is neither sent nor scheduled while words on the screen are not saved', async () => {
  let answer: (answer: object) => void = () => {}
  showsDraft().on(`PUT ${PATH}`, new Promise<object>((resolve) => (answer = resolve)))
  const { person } = openDraft()
  await person.type(await screen.findByLabelText(/Send later/), '2030-04-01T09:00')
  expect([isOff('Send now'), isOff('Schedule')]).toEqual([false, false])
  await person.type(screen.getByLabelText('Text'), ' again')
  expect([isOff('Send now'), isOff('Schedule')]).toEqual([true, true])
  screen.getByText('Your last changes are not saved yet.')

  await saveByKey(person)
  await person.type(screen.getByLabelText('Text'), ' and again')
  answer({ body: { ...draft, version: 4, blocks: textBlock('Hello again') } })
  await screen.findByText('Saved.')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Hello again and again')
  expect([isOff('Send now'), isOff('Schedule')]).toEqual([true, true])

  api.current.on(`PUT ${PATH}`, { body: { ...draft, version: 5, blocks: textBlock('Hello again and again') } })
  await saveByKey(person)
  await screen.findByText('All changes saved.')
  expect(api.current.sent.findLast(({ method }) => method === 'PUT')?.body).toMatchObject({ version: 4 })
  expect([isOff('Send now'), isOff('Schedule')]).toEqual([false, false])
})

test('words that end with a space are saved once, and stay as they were typed', async () => {
  fakeClock()
  showsDraft().on(`PUT ${PATH}`, { body: { ...draft, version: 4, blocks: textBlock('Hello all') } })
  const { person } = openDraft()
  await person.type(await screen.findByLabelText('Text'), ' all ')
  await advanceTime(21_000)
  await screen.findByText('All changes saved.')
  await advanceTime(60_000)
  expect(api.current.requestsTo(`PUT ${PATH}`).length).toBe(1)
  await person.type(screen.getByLabelText('Text'), 'of you')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Hello all of you')
})

test('a draft based on an older version is offered and overwrites nothing automatically', async () => {
  fakeClock()
  showsDraft().on(`PUT ${PATH}`, 'no network')
  const first = openDraft()
  await first.person.type(await screen.findByLabelText('Text'), ' of mine')
  first.unmount()

  const theirs = { ...draft, version: 4, blocks: textBlock('Hello of theirs') }
  api.current.on(`GET ${PATH}`, { body: theirs })
  const { person } = openDraft()
  await screen.findByText(/Another officer saved a newer version/)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Hello of theirs')
  await advanceTime(60_000)
  expect(api.current.requestsTo(`PUT ${PATH}`)).toEqual([])

  await person.click(screen.getByRole('button', { name: 'Keep my version' }))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Hello of mine')
  api.current.on(`PUT ${PATH}`, { body: { ...draft, version: 5, blocks: textBlock('Hello of mine') } })
  await saveByKey(person)
  await screen.findByText('All changes saved.')
  expect(api.current.requestsTo(`PUT ${PATH}`)[0]?.body).toMatchObject({
    version: 4,
    blocks: textBlock('Hello of mine'),
  })
})

test('a draft kept by an earlier release is restored', async () => {
  const { name, subject, snippet } = draft
  const words = { name, subject, snippet, blocks: textBlock('Hello from before') }
  localStorage.setItem('console-draft:newsletter:n1', JSON.stringify({ version: draft.version, words }))
  showsDraft()
  openDraft()
  await screen.findByText('We restored your unsaved draft.')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Hello from before')
})

test('progress is polled only after the previous response, however late it is', async () => {
  fakeClock()
  const counts = { recipients: 158, waiting: 100, bounced: 0, failed: 0, uncertain: 0, skipped: 0, lastError: null }
  const sending = { ...draft, state: 'sending' as const, blocks: null, mailing: { ...counts, accepted: 58 } }
  let answer: (answer: object) => void = () => {}
  showsDraft().on(`GET ${PATH}`, { body: sending }, new Promise<object>((resolve) => (answer = resolve)), 'never')
  openDraft()
  await screen.findByText('58')
  for (let tick = 0; tick < 3; tick++) await advanceTime(3_100)
  answer({ body: { ...sending, mailing: { ...counts, waiting: 80, accepted: 78 } } })
  await screen.findByText('78')
  expect(api.current.requestsTo(`GET ${PATH}`).length).toBe(2)
})

test('scheduled or unscheduled, the keyboard goes on with what can be done next', async () => {
  const scheduled = { ...draft, state: 'scheduled' as const, version: 4, scheduledFor: '2030-04-01T13:00:00.000Z' }
  showsDraft()
    .on(`POST ${PATH}/send`, { body: scheduled })
    .on(`PUT ${PATH}/mailing`, { body: { ...draft, version: 5 } })
  const { person } = openDraft()
  await person.type(await screen.findByLabelText(/Send later/), '2030-04-01T09:00')
  await person.click(screen.getByRole('button', { name: 'Schedule' }))
  const dialog = await screen.findByRole('dialog', { name: 'Send to 158 subscribers?' })
  await person.click(within(dialog).getByRole('button', { name: 'Schedule' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Unschedule' })))
  await person.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Send later/)))
})
