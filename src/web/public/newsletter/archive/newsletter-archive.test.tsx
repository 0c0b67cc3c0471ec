import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { refusal } from '#web/api/fake-api.ts'
import { reloadPage } from '#web/api/reload.ts'
import { meta } from './newsletter.tsx'
import { pass } from './render-page.tsx'
import {
  answer,
  CALL,
  campaignPage,
  card,
  clinic,
  diwali,
  FakeObserver,
  first,
  kites,
  lamps,
  renderArchive,
  useArchivePage,
} from './archive-page.tsx'

vi.mock('#web/api/reload.ts', () => ({ reloadPage: vi.fn<() => void>() }))

const { api, openArchive } = useArchivePage()
afterEach(() => void vi.useRealTimers())
const FAILED = "We couldn't load newsletters right now. Please try again shortly."
const NO_MATCH = 'No newsletters match your current filters. Try adjusting your search or year selection.'

beforeEach(() => void vi.mocked(reloadPage).mockClear())

const titles = () => screen.queryAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
const asked = () => api.current.of(CALL).map(({ query }) => query)
const search = () => screen.getByLabelText<HTMLInputElement>('Search')
/** At once: no machine is so slow that a pause comes between the letters. */
const type = (q: string) => fireEvent.input(search(), { target: { value: q } })

describe('at first', () => {
  test('what the server rendered is there, the first page is asked for, and the fresh answer wins', async () => {
    api.current.on(CALL, answer([clinic, lamps]))
    renderArchive()
    expect(titles()).toEqual(['About clinic', 'About diwali', 'About kites'])
    await waitFor(() => expect(titles()).toEqual(['About clinic', 'About lamps']))
    expect(asked()).toEqual([{ enriched: 'true', page: '1', limit: '10' }])
  })

  test('a card tells when it was sent and what it says, and its title leads to its own address', async () => {
    await openArchive([clinic])
    const shown = within(card('About clinic'))
    shown.getByText('November 18, 2026')
    shown.getByText('What clinic means')
    shown.getByText('In short, clinic.')
    expect(shown.getByRole('link', { name: 'About clinic' }).getAttribute('href')).toBe('/newsletter/view/clinic')
    expect(card('About clinic').querySelector('img')?.getAttribute('src')).toBe('/art/newsletter/clinic.svg')
  })

  test.each([
    ['no newsletters', answer([])],
    ['another shape', { body: { success: true, data: [clinic] } }],
    ['a campaign of another shape', { body: campaignPage([{ ...clinic, name: 7 }]) }],
    ['one that was not sent', answer([{ ...clinic, sentAt: null }])],
    ['one of the last day before the archive', answer([{ ...clinic, sentAt: '2025-08-28T03:59:00.000Z' }])],
    ['nothing, and more to come', answer([], true)],
  ])('%s: none are available', async (_, given) => {
    api.current.on(CALL, given)
    renderArchive()
    await screen.findByText('No newsletters available')
    expect(titles()).toEqual([])
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  test.each<[string, object]>([
    ['was not sent', { ...clinic, id: 'other', sentAt: null }],
    ['has no date', { ...clinic, id: 'other', sentAt: undefined }],
    ['has a date that is none', { ...clinic, id: 'other', sentAt: 'yesterday' }],
    ['was sent before the archive begins', { ...clinic, id: 'other', sentAt: '2025-08-27T14:00:00.000Z' }],
    ['has no name', { ...clinic, id: 'other', name: null }],
    ['has no id', { ...clinic, id: undefined }],
  ])('a campaign that %s is left out, and the others stay', async (_, other) => {
    api.current.on(CALL, answer([other, lamps]))
    renderArchive()
    await waitFor(() => expect(titles()).toEqual(['About lamps']))
  })

  test('a campaign without an address, picture or words of its own is shown as unavailable', async () => {
    const { id, name, subject, sentAt } = clinic
    api.current.on(CALL, answer([{ id, name, subject, sentAt }, lamps]))
    renderArchive()
    await waitFor(() => expect(titles()).toEqual(['About clinic', 'About lamps']))
    within(card('About clinic')).getByText('Unavailable')
  })

  test('a page of which nothing can be shown leads on to the next', async () => {
    api.current.on(CALL, answer([{ ...clinic, sentAt: null }], true), answer([lamps]))
    renderArchive()
    await waitFor(() => expect(titles()).toEqual(['About lamps']))
    expect(asked().map((query) => query['page'])).toEqual(['1', '2'])
  })

  test.each([
    ['a bad status', { status: 500, body: { message: 'x', code: 'INTERNAL' } }],
    ['no network', 'no network' as const],
    ['too many calls', refusal(429, 'RATE_LIMITED', 'Too many.')],
  ])('%s says so beside what is there, and a new try loads the page again', async (_, given) => {
    api.current.on(CALL, given)
    const { person } = renderArchive()
    const alert = await screen.findByRole('alert')
    within(alert).getByText('Something went wrong')
    within(alert).getByText(FAILED)
    expect(titles()).toHaveLength(3)
    await person.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(reloadPage).toHaveBeenCalledTimes(1)
  })

  test('the way there through the site shows nine cards to come, asks at once, and learns the years when they come', async () => {
    api.current.on(CALL, answer([clinic]))
    const known = Promise.withResolvers<{ years: number[]; archiveAfter: string }>()
    const { container } = renderArchive({ firstPage: null, known: known.promise })
    expect(container.querySelectorAll('.campaigns[aria-hidden] > li')).toHaveLength(9)
    screen.getByText('Loading newsletters...')
    await screen.findByRole('article', { name: 'About clinic' })
    expect(container.querySelector('.campaigns[aria-hidden]')).toBeNull()
    expect(screen.queryByRole('option', { name: '2025' })).toBeNull()
    known.resolve({ years: [2026, 2025], archiveAfter: '2026-11-18' })
    await screen.findByRole('option', { name: '2025' })
    // Sent on the last day that the archive leaves out.
    await screen.findByText('No newsletters available')
  })

  test('the feed is offered to readers and to programs', async () => {
    await openArchive([clinic])
    expect(screen.getByRole('link', { name: 'the newsletter feed' }).getAttribute('href')).toBe('/newsletter.rss')
    expect(meta({ matches: [] } as never)).toContainEqual(
      expect.objectContaining({ rel: 'alternate', type: 'application/rss+xml', href: '/newsletter.rss' }),
    )
  })
})

describe('search, year and sort', () => {
  test('what is known is filtered at once; 300 ms after the last letter the server is asked, and adds what it found', async () => {
    await openArchive([clinic, diwali])
    api.current.on(CALL, answer([lamps, clinic]))
    // A clock that stands still until it is told.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    type('clin')
    expect(titles()).toEqual(['About clinic'])
    await pass(299)
    type('clinic')
    await pass(299)
    expect(asked()).toHaveLength(1)
    await pass(1)
    vi.useRealTimers()
    // The word stands in the letter of the lamps.
    await waitFor(() => expect(titles()).toEqual(['About clinic', 'About lamps']))
    expect(asked()[1]).toEqual({ enriched: 'true', page: '1', limit: '10', q: 'clinic' })
    screen.getByText('2 newsletters')
  })

  test('the years are those that are known of; one of them is asked for', async () => {
    const { person } = await openArchive([clinic, diwali])
    const options = within(screen.getByLabelText('Year')).getAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual(['All years', '2026', '2025'])
    api.current.on(CALL, answer([lamps]))
    await person.selectOptions(screen.getByLabelText('Year'), '2025')
    await waitFor(() => expect(titles()).toEqual(['About lamps']))
    expect(asked()[1]).toEqual({ enriched: 'true', page: '1', limit: '10', year: '2025' })
  })

  test('the oldest come first when asked for', async () => {
    const { person } = await openArchive([clinic, diwali], true)
    api.current.on(CALL, answer([first, lamps], true))
    await person.selectOptions(screen.getByLabelText('Sort'), 'Oldest first')
    await waitFor(() => expect(titles()).toEqual(['About first', 'About lamps']))
    expect(asked()[1]).toEqual({ enriched: 'true', page: '1', limit: '10', sort: 'oldest' })
  })

  test('while nothing fits the next pages are fetched; with the last one it says so, and leads back', async () => {
    const { person } = await openArchive([clinic, diwali], true)
    api.current.on(CALL, answer([clinic], true), answer([diwali], true), answer([kites]))
    await person.selectOptions(screen.getByLabelText('Year'), '2025')
    screen.getByText('Loading newsletters...')
    await screen.findByText(NO_MATCH)
    expect(asked().map((query) => query['page'])).toEqual(['1', '1', '2', '3'])
    await person.click(screen.getByRole('button', { name: 'Show all newsletters' }))
    expect(titles()).toEqual(['About clinic', 'About diwali', 'About kites'])
    expect(screen.getByLabelText<HTMLSelectElement>('Year').value).toBe('')
  })

  test('an answer that comes too late is not taken for the present search', async () => {
    await openArchive([clinic, diwali])
    api.current.on(CALL, 'never')
    type('first')
    await waitFor(() => expect(asked()).toHaveLength(2))
    api.current.on(CALL, answer([lamps]))
    type('lamps')
    await waitFor(() => expect(titles()).toEqual(['About lamps']))
    expect(screen.queryByText(FAILED)).toBeNull()
  })

  test('the search is not sent as a form', async () => {
    const { person } = await openArchive([clinic, diwali])
    await person.type(search(), 'clinic{Enter}')
    expect(window.location.pathname + window.location.search).toBe('/newsletter')
    expect(titles()).toEqual(['About clinic'])
  })
})

describe('more', () => {
  test('the button fetches the next page, until there is none', async () => {
    const { person } = await openArchive([clinic, diwali], true)
    api.current.on(CALL, answer([kites]))
    await person.click(screen.getByRole('button', { name: 'Load more' }))
    await waitFor(() => expect(titles()).toHaveLength(3))
    expect(asked()[1]).toEqual({ enriched: 'true', page: '2', limit: '10' })
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  test('the end coming within 800 px fetches it as well, once', async () => {
    await openArchive([clinic, diwali], true)
    const observer = FakeObserver.latest
    expect(observer).toMatchObject({ isWatching: true, margin: '0px 0px 800px' })
    api.current.on(CALL, answer([kites], true))
    act(() => observer?.tell([{ isIntersecting: false }]))
    expect(asked()).toHaveLength(1)
    act(() => observer?.tell([{ isIntersecting: true }]))
    expect(observer?.isWatching).toBe(false)
    await waitFor(() => expect(titles()).toHaveLength(3))
    expect(asked()).toHaveLength(2)
    // Whether the end is still near is asked anew.
    await waitFor(() => expect(FakeObserver.latest).not.toBe(observer))
  })

  test('a failure stands after what was loaded, and nothing goes on by itself', async () => {
    const { person } = await openArchive([clinic, diwali], true)
    api.current.on(CALL, 'no network')
    await person.click(screen.getByRole('button', { name: 'Load more' }))
    const alert = await screen.findByRole('alert')
    expect(screen.getByRole('list', { name: 'Newsletters' }).compareDocumentPosition(alert)).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    )
    expect(titles()).toHaveLength(2)
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })
})

test('grid or list, as this browser last had it; six rows are to come in a list', async () => {
  const { person, unmount } = await openArchive([clinic, diwali])
  const pressed = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-pressed')
  expect([pressed('Grid view'), pressed('List view')]).toEqual(['true', 'false'])
  await person.click(screen.getByRole('button', { name: 'List view' }))
  expect([pressed('Grid view'), pressed('List view')]).toEqual(['false', 'true'])
  unmount()

  api.current.on(CALL, 'never')
  const { container } = renderArchive({ firstPage: null, years: [], archiveAfter: null })
  expect(container.querySelectorAll('.campaign-rows[aria-hidden] > li')).toHaveLength(6)
  expect(pressed('List view')).toBe('true')
})
