import { beforeAll, describe, expect, test } from 'vitest'
import { makeCampaign } from '#tests/support/newsletter.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { raiseContentVersion } from '../association/content.repository.ts'
import { saveCampaign } from './campaign.repository.ts'

const app = useTestApp()
const CUT_OFF = Date.parse('2025-08-28T04:00:00Z')
const COUNT = 23

function campaign(over: Parameters<typeof makeCampaign>[0]) {
  return makeCampaign({
    id: 'letter',
    picture: '/art/clinic.svg',
    createdAt: CUT_OFF,
    updatedAt: CUT_OFF,
    sentAt: CUT_OFF,
    ...over,
  })
}

const MONTH_MS = 30 * 86_400_000

beforeAll(async () => {
  const { db } = app().database
  for (let index = 0; index < COUNT; index++) {
    await saveCampaign(
      db,
      campaign({ id: `letter-${index}`, name: `Letter ${index}`, sentAt: CUT_OFF + (index * MONTH_MS) / 2 }),
    )
  }
  await saveCampaign(db, campaign({ id: 'too-early', sentAt: CUT_OFF - 1 }))
  await saveCampaign(db, campaign({ id: 'a-draft', sentAt: null }))
  await saveCampaign(
    db,
    campaign({
      id: 'diwali',
      name: 'Fête of lights',
      subject: 'Diwali at the Capitol',
      sentAt: CUT_OFF + 1,
      body: 'We light **marigold** lamps. See [the events](/events).\n\n![A lamp](https://example.com/lamp.png)',
    }),
  )
  await saveCampaign(db, campaign({ id: 'unseen', hasView: false, sentAt: CUT_OFF + 2 }))
  await saveCampaign(db, campaign({ id: 'frameless', canEmbed: false, sentAt: CUT_OFF + 3, picture: null }))
  await showInArchive()
})

/** What sending a campaign does. */
async function showInArchive(): Promise<void> {
  await raiseContentVersion(app().database.db)
  await app().app.refreshContent()
}

async function archive(query = '') {
  const answer = await app().browser().call('GET', `/api/newsletter/campaigns${query}`)
  expect(answer.status, query).toBe(200)
  return answer.body.data as {
    campaigns: { id: string }[]
    total: number
    page: number
    limit: number
    hasMore: boolean
  }
}

const idsOf = ({ campaigns }: { campaigns: { id: string }[] }) => campaigns.map(({ id }) => id)

describe('the archive', () => {
  test('comes ten at a time, the newest first, without drafts and without what is older than the cut-off', async () => {
    const first = await archive('?enriched=true&page=1&limit=10')
    expect(first).toMatchObject({ total: COUNT + 3, page: 1, limit: 10, hasMore: true })
    expect(idsOf(first)[0]).toBe(`letter-${COUNT - 1}`)
    const last = await archive('?page=3')
    expect(last.hasMore).toBe(false)
    expect(idsOf(last)).toHaveLength(6)
    const pages = await Promise.all([1, 2, 3].map((page) => archive(`?page=${page}&limit=10`)))
    const everything = pages.flatMap(idsOf)
    expect(new Set(everything).size).toBe(COUNT + 3)
    expect(everything).not.toContain('a-draft')
    expect(everything).not.toContain('too-early')
  })

  test('the oldest first when asked', async () => {
    expect(idsOf(await archive('?sort=oldest')).slice(0, 3)).toEqual(['letter-0', 'diwali', 'unseen'])
  })

  test('of a year of the association’s calendar', async () => {
    const inYear = await archive('?year=2025&limit=50')
    const others = await archive('?year=2026&limit=50')
    expect(inYear.total + others.total).toBe(COUNT + 3)
    expect(await archive('?year=2024')).toMatchObject({ total: 0, hasMore: false, campaigns: [] })
  })

  test.each([
    ['a word of the title', 'fete', ['diwali']],
    ['with the accent', 'Fête', ['diwali']],
    ['a word of the subject', 'CAPITOL', ['diwali']],
    ['a word of the text', 'marigold', ['diwali']],
    ['the beginning of words, in any order', 'lamp mari', ['diwali']],
    ['a word that only ends so', 'gold', []],
    ['words of which one is missing', 'marigold tulip', []],
    ['nothing but marks', '"*) -:&|!', []],
    ['what a query language would read', 'marigold OR (tulip', []],
  ])('is searched for %s', async (_, words, found) => {
    expect(idsOf(await archive(`?q=${encodeURIComponent(words)}`))).toEqual(found)
  })

  test('a blank search is none', async () => {
    expect((await archive('?q=%20')).total).toBe(COUNT + 3)
  })

  test('each entry has the promised fields', async () => {
    const { campaigns } = await archive('?q=marigold')
    expect(campaigns).toEqual([
      {
        id: 'diwali',
        name: 'Fête of lights',
        subject: 'Diwali at the Capitol',
        sentAt: '2025-08-28T04:00:00.001Z',
        createdAt: '2025-08-28T04:00:00.000Z',
        updatedAt: '2025-08-28T04:00:00.000Z',
        canEmbed: true,
        absoluteViewUrl: 'http://localhost:3000/newsletter/view/diwali',
        previewImageUrl: 'http://localhost:3000/art/clinic.svg',
        previewSnippet: 'What is new.',
      },
    ])
    const { campaigns: oldest } = await archive('?sort=oldest')
    expect(oldest[2]).toMatchObject({ id: 'unseen', absoluteViewUrl: null })
    expect(oldest[3]).toMatchObject({ id: 'frameless', canEmbed: false, previewImageUrl: null })
  })

  test.each(['?page=0', '?page=x', '?page=1.5', '?limit=51', '?year=soon', '?sort=best', `?q=${'a'.repeat(101)}`])(
    '%s is refused with a sentence',
    async (query) => {
      const answer = await app().browser().call('GET', `/api/newsletter/campaigns${query}`)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ code: 'INVALID_INPUT' })
    },
  )

  test('shows a new campaign as soon as content is read again', async () => {
    await saveCampaign(app().database.db, campaign({ id: 'brand-new', sentAt: Date.parse('2030-01-01T00:00:00Z') }))
    await showInArchive()
    expect(idsOf(await archive('?year=2029'))).toEqual(['brand-new'])
  })
})

describe('reading one', () => {
  const open = (name: string) => fetch(`${app().url}/newsletter/view/${name}`)

  test('the view has a policy of its own: nothing runs, and only this site may frame it', async () => {
    const answer = await open('diwali')
    expect(answer.status).toBe(200)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'none'")
    expect(policy).toContain('sandbox')
    expect(policy).toContain("frame-ancestors 'self'")
    expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    const page = await answer.text()
    expect(page).toContain('<strong>marigold</strong>')
    expect(page).toContain('href="http://localhost:3000/events"')
    expect(page).toContain('src="https://example.com/lamp.png"')
    expect(page).not.toContain('leave.invalid')
  })

  test('a name that no database could hold is nobody’s', async () => {
    for (const name of ['diwali%00', 'diwali%00.txt']) expect((await open(name)).status).toBe(404)
  })

  test('one that must not be framed says so', async () => {
    const answer = await open('frameless')
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
  })

  test('there is a text version', async () => {
    const answer = await open('diwali.txt')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toContain('We light marigold lamps. See the events (http://localhost:3000/events).')
  })

  test.each(['unseen', 'a-draft', 'nobody', 'unseen.txt'])('%s is nowhere', async (name) => {
    expect((await open(name)).status).toBe(404)
  })
})
