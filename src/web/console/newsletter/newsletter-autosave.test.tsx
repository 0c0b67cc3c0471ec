import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { saveByKey } from '#tests/support/web/console-test-helpers.tsx'
import { newsletterDraft as draft } from '#tests/support/web/newsletter-sample.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { advanceTime, renderPage, fakeClock } from '#tests/support/web/page-test-helpers.tsx'
import NewsletterPage from './newsletter.tsx'

const api = useFakeApi()
const PATH = '/api/console/newsletters/n1'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))
afterEach(() => void vi.useRealTimers())

const showsDraft = () =>
  api.current.on(`GET ${PATH}`, { body: draft }).on(`GET ${PATH}/preview`, {
    body: { subject: draft.subject, path: 'about:blank', html: '<p>Hello</p>', text: 'Hello' },
  })
const openDraft = () => renderPage(() => <NewsletterPage id="n1" />, { at: '/console/newsletter/n1' })
const textBlock = (markdown: string) => [{ kind: 'text' as const, markdown }]

test('after a save that failed it says so, and typing on saves', async () => {
  fakeClock()
  const saved = { ...draft, version: 4, blocks: textBlock('Hello all of you') }
  showsDraft().on(`PUT ${PATH}`, 'no network', { body: saved })
  const { person } = openDraft()
  await person.type(await screen.findByLabelText('Text'), ' all')
  screen.getByText('Saving in a moment.')
  await advanceTime(3_000)
  await screen.findByText('Draft not saved yet. It is kept on this device.')
  await advanceTime(60_000)
  expect(api.current.requestsTo(`PUT ${PATH}`).length).toBe(1)
  await person.type(screen.getByLabelText('Text'), ' of you')
  await advanceTime(3_000)
  await screen.findByText('All changes saved.')
  expect(api.current.requestsTo(`PUT ${PATH}`).at(-1)?.body).toMatchObject({ version: 3, blocks: saved.blocks })
})

test('what the server refused says which field, and saves once it is corrected', async () => {
  fakeClock()
  const refused = errorResponse(400, 'INVALID_INPUT', 'Please check', { subject: 'Please use fewer words' })
  showsDraft().on(`PUT ${PATH}`, refused, { body: { ...draft, version: 4, subject: 'News of spring!' } })
  const { person } = openDraft()
  await person.type(await screen.findByLabelText('Subject'), '?')
  await advanceTime(3_000)
  await screen.findByText('Draft not saved: Please use fewer words.')
  await person.type(screen.getByLabelText('Subject'), '{Backspace}!')
  await advanceTime(3_000)
  await screen.findByText('All changes saved.')
})

describe('a newer version of another officer', () => {
  const theirs = { ...draft, version: 4, blocks: textBlock('Hello of theirs') }
  const puts = () => api.current.requestsTo(`PUT ${PATH}`).map(({ body }) => (body as { version: number }).version)
  const text = () => screen.getByLabelText<HTMLTextAreaElement>('Text').value
  const conflict = errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.')

  async function typeIntoConflict() {
    fakeClock()
    showsDraft().on(`PUT ${PATH}`, conflict)
    const { person } = openDraft()
    await person.type(await screen.findByLabelText('Text'), ' of mine')
    api.current.on(`GET ${PATH}`, { body: theirs })
    await advanceTime(3_000)
    await screen.findByText('Another officer saved a newer version')
    screen.getByText('Not saved: another officer saved a newer version. Choose above which one to keep.')
    await person.type(screen.getByLabelText('Text'), ', too')
    await advanceTime(60_000)
    expect(puts()).toEqual([3])
    expect(text()).toBe('Hello of mine, too')
    return person
  }

  test('is overwritten only once the officer says so', async () => {
    const person = await typeIntoConflict()
    await saveByKey(person)
    await waitFor(() => expect(puts()).toEqual([3, 3]))
    const saved = { ...draft, version: 5, blocks: textBlock('Hello of mine, too') }
    api.current.on(`PUT ${PATH}`, { body: saved })
    await person.click(screen.getByRole('button', { name: 'Keep my version' }))
    await advanceTime(3_000)
    await screen.findByText('All changes saved.')
    expect(puts()).toEqual([3, 3, 4])
    expect(text()).toBe('Hello of mine, too')
  })

  test('replaces what was typed once the officer says so, and typing on saves', async () => {
    const person = await typeIntoConflict()
    await person.click(screen.getByRole('button', { name: 'Discard mine' }))
    screen.getByText('Changes discarded.')
    expect(text()).toBe('Hello of theirs')
    screen.getByText('All changes saved.')
    expect(screen.queryByRole('alert')).toBeNull()
    api.current.on(`PUT ${PATH}`, { body: { ...theirs, version: 5, blocks: textBlock('Hello of theirs!') } })
    await person.type(screen.getByLabelText('Text'), '!')
    screen.getByText('Saving in a moment.')
    await advanceTime(3_000)
    await screen.findByText('All changes saved.')
    expect(puts()).toEqual([3, 4])
  })

  test('that could not be loaded is not overwritten either', async () => {
    fakeClock()
    showsDraft().on(`PUT ${PATH}`, conflict)
    const { person } = openDraft()
    await person.type(await screen.findByLabelText('Text'), ' of mine')
    api.current.on(`GET ${PATH}`, 'no network')
    await advanceTime(3_000)
    await screen.findByText('Someone else changed this in the meantime.')
    await person.type(screen.getByLabelText('Text'), ', too')
    await advanceTime(60_000)
    expect(puts()).toEqual([3])
    screen.getByText(/^Not saved: another officer saved a newer version/)
    api.current.on(`GET ${PATH}`, { body: theirs })
    await person.click(screen.getByRole('button', { name: 'Reload' }))
    await screen.findByRole('button', { name: 'Keep my version' })
    expect(text()).toBe('Hello of mine, too')
  })
})
