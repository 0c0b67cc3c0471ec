import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import StudentsResidentsPage from './students-residents.tsx'

const api = useFakeApi()
const CALL = 'GET /api/s3/exec/folder/team'

const page = {
  slug: 'students-residents',
  title: 'Medical Students Residents Forum',
  description: 'd',
  html: '<h2>Our mission</h2><p>Bring together.</p><h2>Our vision</h2><p>Someone to ask.</p><h2>What the forum does</h2><p>Evenings.</p><h2>Join the forum</h2><p>Write to us.</p>',
  version: '1',
  updatedOn: '2026-11-01',
  lead: 'The forum is where students and residents meet.',
  picture: { name: 'forum', alt: 'Coats on pegs' },
  facts: [{ label: 'Medical Student', value: 'Free' }],
  items: [{ title: 'Fill out the form', text: 'Three minutes.', spot: 'lamp' }],
  more: [{ label: 'See the memberships', path: '/become-a-member' }],
}
const member = (id: string, role: string, name: string, iconName: string) => ({
  id,
  role,
  name,
  school: `${role} School`,
  year: 'Third-year medical student',
  iconName,
  bio: [`${name} grew up in Macon.`, `${name} plays the veena.`],
})
const team = [
  member('president', 'President', 'Aditi Raghunathan', 'stethoscope'),
  member('president-elect', 'President Elect', 'Dr. Kabir Sandhu', 'heart-pulse'),
  member('secretary', 'Secretary', 'Mariam Puthenveettil', 'unknown-icon'),
]
const image = (filename: string, name?: string) => ({
  key: `team/${filename}`,
  url: `/media/exec/team/${filename}`,
  filename,
  size: 1,
  lastModified: '2026-11-01T00:00:00.000Z',
  ...(name !== undefined && { person: { list: 'forum', name } }),
})
const answer = (...images: object[]) => ({ body: { success: true, message: 'OK', data: { images } } })

function show({ images = [] as object[], members = team } = {}) {
  return renderPage(StudentsResidentsPage, { at: '/students-residents', loaderData: { page, team: members, images } })
}

let isStill = false
const scrolled = vi.fn<(options: ScrollIntoViewOptions) => void>()

beforeEach(() => {
  isStill = false
  scrolled.mockClear()
  Element.prototype.scrollIntoView = scrolled
  vi.stubGlobal('matchMedia', () => ({ matches: isStill, addEventListener() {}, removeEventListener() {} }))
  api.current.on(CALL, answer())
})

const asked = () => waitFor(() => expect(api.current.requestsTo(CALL)).toHaveLength(1))

test('mission, vision and the other sections have their headings', async () => {
  show()
  for (const name of ['Our mission', 'Our vision', 'What the forum does', 'Executive team', 'Join the forum'])
    screen.getByRole('heading', { level: 2, name })
  screen.getByText('Bring together.')
  screen.getByText('Write to us.')
  screen.getByRole('heading', { level: 3, name: 'Fill out the form' })
  expect(screen.getByRole('link', { name: 'See the memberships' }).getAttribute('href')).toBe('/become-a-member')
  await asked()
})

describe('the two links down the page', () => {
  test.each([
    ['Join the forum', 'Join the forum'],
    ['Meet the team', 'Executive team'],
  ])('%s scrolls smoothly and moves the focus', async (link, heading) => {
    const { person } = show()
    await person.click(screen.getByRole('link', { name: link }))
    expect(scrolled).toHaveBeenCalledWith({ behavior: 'smooth', block: 'start' })
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2, name: heading }))
    await asked()
  })

  test('jumps with reduced motion', async () => {
    isStill = true
    const { person } = show()
    await person.click(screen.getByRole('link', { name: 'Meet the team' }))
    expect(scrolled).toHaveBeenCalledWith({ behavior: 'instant', block: 'start' })
    await asked()
  })

  test('work without script', async () => {
    show()
    for (const name of ['Join the forum', 'Meet the team']) {
      const href = screen.getByRole('link', { name }).getAttribute('href') ?? ''
      expect(document.querySelector(href)).not.toBeNull()
    }
    await asked()
  })
})

describe('the team', () => {
  test('shows each image with the person it was chosen for, regardless of file names', async () => {
    const leader = { ...image('leader.jpg'), person: { list: 'leaders', name: 'Mariam Puthenveettil' } }
    const chosen = [image('b.webp', 'Dr. Kabir Sandhu'), image('President.JPG', 'Aditi Raghunathan')]
    api.current.on(CALL, answer(...chosen, image('secretary.jpg'), leader))
    show({ images: [image('president.svg', 'Aditi Raghunathan')] })
    const portrait = () => screen.getByRole('img', { name: 'Portrait of Aditi Raghunathan' }).getAttribute('src')
    expect(portrait()).toBe('/media/exec/team/president.svg')
    await waitFor(() => expect(portrait()).toBe('/media/exec/team/President.JPG'))
    screen.getByRole('img', { name: 'Portrait of Dr. Kabir Sandhu' })
    expect(screen.queryByRole('img', { name: 'Portrait of Mariam Puthenveettil' })).toBeNull()
  })

  test('keeps its images after a network error, and shows a message', async () => {
    api.current.on(CALL, 'no network')
    show({ images: [image('president.svg', 'Aditi Raghunathan')] })
    await screen.findByText('Failed to load images')
    screen.getByRole('img', { name: 'Portrait of Aditi Raghunathan' })
  })

  test('has role, name, school and training level on each card', async () => {
    show()
    const heading = screen.getByRole('heading', { level: 3, name: 'Mariam Puthenveettil' })
    const card = within(heading.closest('li') as HTMLElement)
    card.getByText('Secretary')
    card.getByText('Secretary School')
    card.getByText('Third-year medical student')
    await asked()
  })

  test('is left out while there are no officers', async () => {
    show({ members: [] })
    expect(screen.queryByRole('heading', { name: 'Executive team' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Meet the team' })).toBeNull()
  })
})

describe('the full biography', () => {
  const opener = () => screen.getByRole('button', { name: 'Read full biography of Aditi Raghunathan' })

  async function open(person: ReturnType<typeof show>['person']) {
    await person.click(opener())
    return screen.findByRole('dialog', { name: 'Aditi Raghunathan' }, { timeout: 5_000 })
  }

  test('opens from the card', async () => {
    const { person } = show()
    const dialog = within(await open(person))
    dialog.getByText('Aditi Raghunathan grew up in Macon.')
    dialog.getByText('Aditi Raghunathan plays the veena.')
    dialog.getByText('President')
  })

  test.each([
    ['Escape', (person: ReturnType<typeof show>['person']) => person.keyboard('{Escape}')],
    [
      'the close button',
      (person: ReturnType<typeof show>['person']) => person.click(screen.getByRole('button', { name: 'Close' })),
    ],
    [
      'a click outside',
      (person: ReturnType<typeof show>['person']) =>
        person.click(document.querySelector('.dialog-scroll') as HTMLElement),
    ],
  ])('closes by %s, and the focus returns to the card', async (_, close) => {
    const { person } = show()
    await open(person)
    await close(person)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(opener()))
  })
})
