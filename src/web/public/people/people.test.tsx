import { screen, waitFor, within } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import type { Leader } from '#contract/public/association.ts'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import LeadersPage from './leaders.tsx'
import { People } from './people.tsx'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'

useFakeApi()

function leader(name: string, over: Partial<Leader> = {}): Leader {
  const none = {
    role: null,
    location: null,
    portrait: null,
    field: null,
    practice: null,
    since: null,
    askMeAbout: null,
  }
  return { name, ...none, bio: [], ...over }
}

const meera = leader('Dr. Meera Raghuvanshi', {
  role: 'President',
  location: 'Macon, Georgia',
  portrait: 'portrait-marigold-sari',
  field: 'Family medicine',
  practice: 'Ocmulgee Family Practice',
  since: 2021,
  askMeAbout: 'practicing far from a hospital.',
  bio: ['Meera practices in a former bank.', 'She keeps a cake tin.'],
})
const tejas = leader('Dr. Tejas Amin', { role: 'President Elect', askMeAbout: 'mangoes.', field: 'Cardiology' })
const farhan = leader('Dr. Farhan Qureshi', { role: 'Secretary', askMeAbout: 'vaccines.', practice: 'A practice' })
const members = [meera, tejas, farhan]
const body = {
  key: 'executive-committee',
  title: 'Executive Committee 2025-26',
  term: '2025-26',
  lead: 'Six.',
  members,
}

function show(images: object[] = [], over: object = {}, hash = '') {
  const loaderData = {
    key: body.key,
    title: body.title,
    body: { ...body, ...over },
    bodies: [],
    images,
    since: 'Officer since',
  }
  return renderPage(LeadersPage, { at: `/executive-committee${hash}`, loaderData })
}
const cardOf = (name: string) => within(screen.getByRole('heading', { level: 2, name }).closest('li') as HTMLElement)

describe('a card', () => {
  test('has what the record has, and closes up without it', () => {
    show()
    const card = cardOf('Dr. Meera Raghuvanshi')
    for (const text of [
      'President',
      'Family medicine, Ocmulgee Family Practice',
      'Macon, Georgia',
      'Officer since 2021',
    ])
      card.getByText(text)
    card.getByText('Ask me about practicing far from a hospital.')
    expect(cardOf('Dr. Tejas Amin').queryByText(/since/)).toBeNull()
  })

  test('of those who do not lead is short', () => {
    show()
    const card = cardOf('Dr. Farhan Qureshi')
    expect(card.queryByText(/Ask me about/)).toBeNull()
    expect(card.queryByText('A practice')).toBeNull()
  })

  test('shows the portrait of the record, and a drawing where there is none', () => {
    const { container } = show()
    const sources = [...container.querySelectorAll('.portrait img')].map((image) => image.getAttribute('src'))
    expect(sources[0]).toBe('/art/portrait-marigold-sari.svg')
    expect(sources[1]).toMatch(/^\/art\/portrait-physician-\d\d\.svg$/)
  })

  test('shows an uploaded portrait only with the leader it was chosen for', () => {
    const image = { key: 'team/a.jpg', url: '/a.jpg', filename: 'a.jpg', size: 1, lastModified: '' }
    show([
      { ...image, url: '/forum.jpg', person: { list: 'forum', name: meera.name } },
      { ...image, url: '/hers.jpg', person: { list: 'leaders', name: meera.name } },
    ])
    const portraits = screen.getAllByRole('img', { name: /^Portrait of/ })
    expect(portraits.map((one) => one.getAttribute('src'))).toEqual(['/hers.jpg'])
    screen.getByRole('img', { name: `Portrait of ${meera.name}` })
  })
})

test.each([
  [['President', 'President Elect', 'Treasurer'], 2],
  [['Chair', null, null], 1],
  [[null, null, null], 0],
])('of people with the roles %j, %i lead', (roles, leads) => {
  const list = roles.map((role, at) => leader(`Dr. Person ${at}`, { role }))
  const { container } = show([], { title: 'The board', members: list })
  expect(container.querySelectorAll('.lead-person')).toHaveLength(leads)
  screen.getByText('Term 2025-26')
})

describe('a biography', () => {
  const nameOf = (name: string) => screen.getByRole('link', { name })

  test('opens from the name, and the focus returns to it', async () => {
    const { person } = show()
    await person.click(nameOf('Dr. Meera Raghuvanshi'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Dr. Meera Raghuvanshi' }, { timeout: 5_000 }))
    dialog.getByText('Meera practices in a former bank.')
    dialog.getByText('She keeps a cake tin.')
    dialog.getByText('Ocmulgee Family Practice, Macon')
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(nameOf('Dr. Meera Raghuvanshi')))
  })

  test('opens for those who have one only', () => {
    show()
    screen.getByRole('heading', { level: 2, name: 'Dr. Tejas Amin' })
    expect(screen.queryByRole('link', { name: 'Dr. Tejas Amin' })).toBeNull()
  })

  test('opens from a link to it', async () => {
    show([], {}, '#meera-raghuvanshi')
    await screen.findByRole('dialog', { name: 'Dr. Meera Raghuvanshi' }, { timeout: 5_000 })
  })

  test('can be read without script, at the address of the name', () => {
    const html = renderToStaticMarkup(
      <MemoryRouter>
        <People members={members} images={[]} sinceLabel="Officer since" />
      </MemoryRouter>,
    )
    expect(html).toContain('href="#meera-raghuvanshi"')
    const [, hidden = ''] = /<noscript>(.*?)<\/noscript>/s.exec(html) ?? []
    expect(hidden).toContain('<div id="meera-raghuvanshi"><p>Meera practices in a former bank.</p>')
    expect(html.match(/<noscript>/g)).toHaveLength(1)
  })
})
