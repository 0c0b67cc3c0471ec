import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import ClinicPage from './clinic.tsx'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'

const api = useFakeApi()
const CALL = 'GET /api/s3/clinic/folder/hero'

const page = {
  slug: 'clinic',
  title: 'Free clinic in Norcross',
  description: 'd',
  html: '<h2>What to bring</h2><p>Your medicines.</p><h2>Flu vaccines</h2><p>In autumn 2024, on two dates.</p>',
  version: '1',
  updatedOn: '2026-11-01',
  lead: 'The clinic is open.',
  picture: { name: 'clinic', alt: 'The waiting room, drawn' },
  facts: [{ label: 'Cost', value: 'Primary consultation is free' }],
  items: [
    { title: 'See a physician', text: 'Without charge.', spot: 'stethoscope' },
    { title: 'See a dentist', text: 'For teeth.', spot: 'tooth' },
  ],
  more: [{ label: 'Ask the clinic a question', path: '/contact' }],
  cards: [{ title: 'Lend a Saturday', text: 'Every hour is given.', link: { label: 'Volunteer', path: '/contact' } }],
}
const clinic = {
  weekday: 'Saturday',
  weeks: [1, 3],
  startsAt: '13:00',
  endsAt: '16:00',
  place: 'The mall in Norcross, Suite 736',
  mapLink: 'https://maps.example/clinic',
}
const image = (name: string) => ({
  key: `hero/${name}`,
  url: `/media/clinic/hero/${name}`,
  filename: name,
  size: 1,
  lastModified: '2026-11-01T00:00:00.000Z',
})
const answer = (...images: object[]) => ({ body: { success: true, message: 'OK', data: { images } } })

function show({ today = '2026-11-22', images = [] as object[], translations = [] as object[] } = {}) {
  return renderPage(ClinicPage, { at: '/clinic', loaderData: { today, page, clinic, images, translations } })
}

test('hours, days and address are in the first view, with a link to the map', async () => {
  api.current.on(CALL, answer())
  show()
  screen.getByRole('heading', { level: 1, name: 'Free clinic in Norcross' })
  screen.getByText('1st and 3rd Saturday of each month. In an emergency, call 911.')
  expect(screen.getByText('Next open day').parentElement?.textContent).toContain(
    'Saturday, December 5, 1:00 PM to 4:00 PM',
  )
  for (const name of ['Get directions', 'Find it on a map'])
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('https://maps.example/clinic')
  const panel = screen.getByRole('complementary', { name: 'Upcoming clinic days' })
  expect(within(panel).getByText('December 2026').parentElement?.textContent).toBe('December 2026Saturday 5Saturday 19')
  expect(within(panel).getByText('January 2027').parentElement?.textContent).toBe('January 2027Saturday 2Saturday 16')
  within(panel).getByText('The mall in Norcross, Suite 736')
  within(panel).getByText('Primary consultation is free')
  expect(within(panel).queryByText('Today')).toBeNull()
  await waitFor(() => expect(api.current.requestsTo(CALL)).toHaveLength(1))
})

test('on a clinic day the page says so', async () => {
  api.current.on(CALL, answer())
  show({ today: '2026-11-21' })
  expect(screen.getByText('Today').parentElement?.textContent).toBe('Saturday 21Today')
  await waitFor(() => expect(api.current.requestsTo(CALL)).toHaveLength(1))
})

test('each language has its own part, reachable by a link, with a draft marked as one', async () => {
  api.current.on(CALL, answer())
  const spanish = {
    language: 'es',
    name: 'Español',
    headline: 'Clínica gratuita.',
    nextDayLabel: 'Próximo día',
    placeLabel: 'Dirección',
    cost: 'Gratis.',
    bring: 'Sus medicinas.',
    draftNote: 'Borrador.',
    isChecked: false,
    nextDay: 'sábado, 5 de diciembre',
  }
  show({ translations: [spanish, { ...spanish, language: 'hi', name: 'हिन्दी', draftNote: null, isChecked: true }] })
  const links = within(screen.getByRole('navigation', { name: 'In other languages' })).getAllByRole('link')
  expect(links.map((link) => [link.getAttribute('href'), link.lang])).toEqual([
    ['#es', 'es'],
    ['#hi', 'hi'],
  ])
  const part = screen.getByRole('region', { name: 'Español' })
  expect([part.id, part.lang]).toEqual(['es', 'es'])
  within(part).getByText('sábado, 5 de diciembre')
  within(part).getByText(/Draft translation/)
  expect(within(screen.getByRole('region', { name: 'हिन्दी' })).queryByText(/Draft/)).toBeNull()
  await waitFor(() => expect(api.current.requestsTo(CALL)).toHaveLength(1))
})

test('services, the flu vaccines of 2024, the emergency number and the note about medical information are there', async () => {
  api.current.on(CALL, answer())
  show()
  screen.getByRole('heading', { level: 3, name: 'See a physician' })
  screen.getByRole('heading', { level: 3, name: 'See a dentist' })
  screen.getByText('In autumn 2024, on two dates.')
  screen.getByText('In an emergency call 911.')
  screen.getByText('Please do not send medical information through this site.')
  expect(screen.getByRole('link', { name: 'Ask the clinic a question' }).getAttribute('href')).toBe('/contact')
  await waitFor(() => expect(api.current.requestsTo(CALL)).toHaveLength(1))
})

test('volunteers have a panel of their own', async () => {
  api.current.on(CALL, answer())
  show()
  const panel = screen.getByRole('region', { name: 'Lend a Saturday' })
  expect(within(panel).getByRole('link', { name: 'Volunteer' }).getAttribute('href')).toBe('/contact')
  await waitFor(() => expect(api.current.requestsTo(CALL)).toHaveLength(1))
})

test('the picture is the first of the clinic’s folder', async () => {
  api.current.on(CALL, answer(image('a-new-room.jpg'), image('b.jpg')))
  show({ images: [image('old-room.jpg')] })
  screen.getByRole('img', { name: 'Old room' })
  const picture = await screen.findByRole('img', { name: 'A new room' })
  expect(picture.getAttribute('src')).toBe('/media/clinic/hero/a-new-room.jpg')
  expect(screen.queryByRole('img', { name: 'B' })).toBeNull()
})

test('without pictures in the folder the page has its own', async () => {
  api.current.on(CALL, answer())
  show({ images: [image('old-room.jpg')] })
  const own = await screen.findByRole('img', { name: 'The waiting room, drawn' })
  expect(own.getAttribute('src')).toBe('/art/clinic.svg')
})

test('after a network error the image stays and a message is shown', async () => {
  api.current.on(CALL, 'no network')
  show({ images: [image('old-room.jpg')] })
  expect((await screen.findByRole('status')).textContent).toBe('Failed to load images')
  screen.getByRole('img', { name: 'Old room' })
})

test('an image that fails to load is replaced by a placeholder with its alt text, and the list is reloaded', async () => {
  api.current.on(CALL, answer(image('room.jpg')))
  show()
  fireEvent.error(await screen.findByRole('img', { name: 'Room' }))
  await waitFor(() =>
    expect(screen.getByRole('img', { name: 'Room' }).getAttribute('src')).toBe('/art/spot-missing.svg'),
  )
  await waitFor(() => expect(api.current.requestsTo(CALL)).toHaveLength(2))
})
