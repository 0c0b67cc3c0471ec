import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { errorResponse } from '#tests/support/web/fake-api.ts'
import { reloadPage } from '#web/api/reload.ts'
import { meta } from '../newsletter.tsx'
import { advanceTime } from '#tests/support/web/page-test-helpers.tsx'
import {
  campaignResponse,
  CAMPAIGNS_CALL,
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
} from '#tests/support/web/archive-test-helpers.tsx'

vi.mock('#web/api/reload.ts', () => ({ reloadPage: vi.fn<() => void>() }))

const { api, openArchive } = useArchivePage()
afterEach(() => void vi.useRealTimers())
const FAILED = "We couldn't load newsletters right now. Please try again shortly."
const NO_MATCH = 'No newsletters match your current filters. Try adjusting your search or year selection.'

beforeEach(() => void vi.mocked(reloadPage).mockClear())

const titles = () => screen.queryAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
const asked = () => api.current.requestsTo(CAMPAIGNS_CALL).map(({ query }) => query)
const search = () => screen.getByLabelText<HTMLInputElement>('Search')
/** One event for the whole text, so that no machine is slow enough for a pause between keystrokes. */
const type = (q: string) => fireEvent.input(search(), { target: { value: q } })

describe('at first', () => {
  test('shows the server-rendered campaigns, loads the first page, and the fresh response wins', async () => {
    api.current.on(CAMPAIGNS_CALL, campaignResponse([clinic, lamps]))
    renderArchive()
    expect(titles()).toEqual(['About clinic', 'About diwali', 'About kites'])
    await waitFor(() => expect(titles()).toEqual(['About clinic', 'About lamps']))
    expect(asked()).toEqual([{ enriched: 'true', page: '1', limit: '10' }])
  })

  test('a card shows date, subject and excerpt, and its title links to the newsletter', async () => {
    await openArchive([clinic])
    const shown = within(card('About clinic'))
    shown.getByText('November 18, 2026')
    shown.getByText('What clinic means')
    shown.getByText('In short, clinic.')
    expect(shown.getByRole('link', { name: 'About clinic' }).getAttribute('href')).toBe('/newsletter/view/clinic')
    expect(card('About clinic').querySelector('img')?.getAttribute('src')).toBe('/art/newsletter/clinic.svg')
  })

  test.each([
    ['no newsletters', campaignResponse([])],
    ['another shape', { body: { success: true, data: [clinic] } }],
    ['a campaign of another shape', { body: campaignPage([{ ...clinic, name: 7 }]) }],
    ['one that was not sent', campaignResponse([{ ...clinic, sentAt: null }])],
    ['one of the last day before the archive', campaignResponse([{ ...clinic, sentAt: '2025-08-28T03:59:00.000Z' }])],
    ['nothing, and more to come', campaignResponse([], true)],
  ])('%s: none are available', async (_, given) => {
    api.current.on(CAMPAIGNS_CALL, given)
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
    api.current.on(CAMPAIGNS_CALL, campaignResponse([other, lamps]))
    renderArchive()
    await waitFor(() => expect(titles()).toEqual(['About lamps']))
  })

  test('a campaign without an address, picture or words of its own is shown as unavailable', async () => {
    const { id, name, subject, sentAt } = clinic
    api.current.on(CAMPAIGNS_CALL, campaignResponse([{ id, name, subject, sentAt }, lamps]))
    renderArchive()
    await waitFor(() => expect(titles()).toEqual(['About clinic', 'About lamps']))
    within(card('About clinic')).getByText('Unavailable')
  })

  test('a page without valid campaigns loads the next one', async () => {
    api.current.on(CAMPAIGNS_CALL, campaignResponse([{ ...clinic, sentAt: null }], true), campaignResponse([lamps]))
    renderArchive()
    await waitFor(() => expect(titles()).toEqual(['About lamps']))
    expect(asked().map((query) => query['page'])).toEqual(['1', '2'])
  })

  test.each([
    ['a bad status', { status: 500, body: { message: 'x', code: 'INTERNAL' } }],
    ['no network', 'no network' as const],
    ['too many calls', errorResponse(429, 'RATE_LIMITED', 'Too many.')],
  ])('%s shows an error next to the list, and a retry reloads the page', async (_, given) => {
    api.current.on(CAMPAIGNS_CALL, given)
    const { person } = renderArchive()
    const alert = await screen.findByRole('alert')
    within(alert).getByText('Something went wrong')
    within(alert).getByText(FAILED)
    expect(titles()).toHaveLength(3)
    await person.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(reloadPage).toHaveBeenCalledTimes(1)
  })

  test('the way there through the site shows nine cards to come, asks at once, and learns the years when they come', async () => {
    api.current.on(CAMPAIGNS_CALL, campaignResponse([clinic]))
    const known = Promise.withResolvers<{ years: number[]; archiveAfter: string }>()
    const { container } = renderArchive({ firstPage: null, known: known.promise })
    expect(container.querySelectorAll('.campaigns[aria-hidden] > li')).toHaveLength(9)
    screen.getByText('Loading newsletters...')
    await screen.findByRole('article', { name: 'About clinic' })
    expect(container.querySelector('.campaigns[aria-hidden]')).toBeNull()
    expect(screen.queryByRole('option', { name: '2025' })).toBeNull()
    known.resolve({ years: [2026, 2025], archiveAfter: '2026-11-18' })
    await screen.findByRole('option', { name: '2025' })
    // Sent on the archive's cutoff day.
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
  test('known campaigns are filtered immediately; 300 ms after the last keystroke the server is searched and its results are added', async () => {
    await openArchive([clinic, diwali])
    api.current.on(CAMPAIGNS_CALL, campaignResponse([lamps, clinic]))
    // A clock that moves only when told.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    type('clin')
    expect(titles()).toEqual(['About clinic'])
    await advanceTime(299)
    type('clinic')
    await advanceTime(299)
    expect(asked()).toHaveLength(1)
    await advanceTime(1)
    vi.useRealTimers()
    // The word is in the text of the lamps newsletter.
    await waitFor(() => expect(titles()).toEqual(['About clinic', 'About lamps']))
    expect(asked()[1]).toEqual({ enriched: 'true', page: '1', limit: '10', q: 'clinic' })
    screen.getByText('2 newsletters')
  })

  test('the filter lists the known years, and a chosen one is loaded', async () => {
    const { person } = await openArchive([clinic, diwali])
    const options = within(screen.getByLabelText('Year')).getAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual(['All years', '2026', '2025'])
    api.current.on(CAMPAIGNS_CALL, campaignResponse([lamps]))
    await person.selectOptions(screen.getByLabelText('Year'), '2025')
    await waitFor(() => expect(titles()).toEqual(['About lamps']))
    expect(asked()[1]).toEqual({ enriched: 'true', page: '1', limit: '10', year: '2025' })
  })

  test('can be sorted oldest first', async () => {
    const { person } = await openArchive([clinic, diwali], true)
    api.current.on(CAMPAIGNS_CALL, campaignResponse([first, lamps], true))
    await person.selectOptions(screen.getByLabelText('Sort'), 'Oldest first')
    await waitFor(() => expect(titles()).toEqual(['About first', 'About lamps']))
    expect(asked()[1]).toEqual({ enriched: 'true', page: '1', limit: '10', sort: 'oldest' })
  })

  test('while nothing matches further pages are loaded; after the last one a message offers to reset', async () => {
    const { person } = await openArchive([clinic, diwali], true)
    api.current.on(
      CAMPAIGNS_CALL,
      campaignResponse([clinic], true),
      campaignResponse([diwali], true),
      campaignResponse([kites]),
    )
    await person.selectOptions(screen.getByLabelText('Year'), '2025')
    screen.getByText('Loading newsletters...')
    await screen.findByText(NO_MATCH)
    expect(asked().map((query) => query['page'])).toEqual(['1', '1', '2', '3'])
    await person.click(screen.getByRole('button', { name: 'Show all newsletters' }))
    expect(titles()).toEqual(['About clinic', 'About diwali', 'About kites'])
    expect(screen.getByLabelText<HTMLSelectElement>('Year').value).toBe('')
  })

  test('a late response is not used for the current search', async () => {
    await openArchive([clinic, diwali])
    api.current.on(CAMPAIGNS_CALL, 'never')
    type('first')
    await waitFor(() => expect(asked()).toHaveLength(2))
    api.current.on(CAMPAIGNS_CALL, campaignResponse([lamps]))
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
    api.current.on(CAMPAIGNS_CALL, campaignResponse([kites]))
    await person.click(screen.getByRole('button', { name: 'Load more' }))
    await waitFor(() => expect(titles()).toHaveLength(3))
    expect(asked()[1]).toEqual({ enriched: 'true', page: '2', limit: '10' })
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  test('scrolling within 800 px of the end loads it as well, once', async () => {
    await openArchive([clinic, diwali], true)
    await waitFor(() => expect(FakeObserver.latest).toMatchObject({ isWatching: true, margin: '0px 0px 800px' }))
    const observer = FakeObserver.latest
    api.current.on(CAMPAIGNS_CALL, campaignResponse([kites], true))
    act(() => observer?.tell([{ isIntersecting: false }]))
    expect(asked()).toHaveLength(1)
    act(() => observer?.tell([{ isIntersecting: true }]))
    expect(observer?.isWatching).toBe(false)
    await waitFor(() => expect(titles()).toHaveLength(3))
    expect(asked()).toHaveLength(2)
    // Whether the end is still close is checked again.
    await waitFor(() => expect(FakeObserver.latest).not.toBe(observer))
  })

  test('a failure is shown after the loaded ones, and loading stops', async () => {
    const { person } = await openArchive([clinic, diwali], true)
    api.current.on(CAMPAIGNS_CALL, 'no network')
    await person.click(screen.getByRole('button', { name: 'Load more' }))
    const alert = await screen.findByRole('alert')
    expect(screen.getByRole('list', { name: 'Newsletters' }).compareDocumentPosition(alert)).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    )
    expect(titles()).toHaveLength(2)
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })
})

test('the layout is stored; a list shows six placeholder rows', async () => {
  const { person, unmount } = await openArchive([clinic, diwali])
  const pressed = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-pressed')
  expect([pressed('Grid view'), pressed('List view')]).toEqual(['true', 'false'])
  await person.click(screen.getByRole('button', { name: 'List view' }))
  expect([pressed('Grid view'), pressed('List view')]).toEqual(['false', 'true'])
  unmount()

  api.current.on(CAMPAIGNS_CALL, 'never')
  const { container } = renderArchive({ firstPage: null, years: [], archiveAfter: null })
  expect(container.querySelectorAll('.campaign-rows[aria-hidden] > li')).toHaveLength(6)
  expect(pressed('List view')).toBe('true')
})
