import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readContentFiles } from './content-files.ts'
import {
  harmlessEvent,
  harmlessNewsItem,
  harmlessNotice,
  harmlessPage,
  harmlessSponsor,
  readStoredSettings,
} from './stored-links.rules.ts'
import type { Settings } from './settings.ts'

const { settings: SHIPPED } = readContentFiles(join(resolve(import.meta.dirname, '../../../..'), 'content'))
const stored = (change: (settings: Settings) => void): Settings => {
  const copy = structuredClone(SHIPPED)
  change(copy)
  return copy
}

describe('settings that were stored before the rules were as strict', () => {
  test('those that fit are as they are', () => {
    expect(readStoredSettings(SHIPPED)).toEqual({ settings: SHIPPED, problems: [] })
  })

  test('a number beyond the ceiling holds on and is named', () => {
    const old = stored(({ membership, rateLimits }) => {
      membership.graceDays = 1_000_000
      rateLimits.login.limit = 0
    })
    const { settings, problems } = readStoredSettings(old)
    expect(settings).toEqual(old)
    expect(problems).toEqual(['membership.graceDays', 'rateLimits.login.limit'])
  })

  test('a link that is none becomes a search for the place, a social link goes, and both are named', () => {
    const old = stored(({ association, clinic }) => {
      association.mapLink = 'javascript:alert(1)'
      clinic.mapLink = 'data:text/html,x'
      association.socialLinks = [
        { label: 'Bad', url: 'javascript:alert(1)' },
        { label: 'Good', url: 'https://example.org/good' },
      ]
    })
    const { settings, problems } = readStoredSettings(old)
    expect(settings.association.mapLink).toBe(
      'https://www.openstreetmap.org/search?query=100+Sample+Parkway%2C+Norcross%2C+Georgia',
    )
    expect(settings.clinic.mapLink).toMatch(/^https:\/\/www\.openstreetmap\.org\/search\?query=The\+mall/)
    expect(settings.association.socialLinks).toEqual([{ label: 'Good', url: 'https://example.org/good' }])
    expect(problems).toEqual(['association.mapLink', 'association.socialLinks.0.url', 'clinic.mapLink'])
  })

  test('what cannot be helped is an error that names the setting', () => {
    const broken = { ...SHIPPED, association: { ...SHIPPED.association, name: '' } }
    expect(() => readStoredSettings(broken)).toThrow(/name/)
  })
})

describe('records that were stored before addresses were checked', () => {
  const BAD = ['javascript:alert(1)', 'data:text/html,x', '//example.org', '/\\example.org', 'java\nscript:alert(1)']

  test.each(BAD)('%j is no link anywhere', (bad) => {
    const event = { detailsLink: bad, imageKey: [bad, 'hero-gala'] } as Parameters<typeof harmlessEvent>[0]
    expect(harmlessEvent(event)).toEqual({ detailsLink: '', imageKey: ['hero-gala'] })
    expect(harmlessEvent({ ...event, imageKey: bad })).toMatchObject({ imageKey: '' })
    expect(harmlessNewsItem({ imageKey: bad } as Parameters<typeof harmlessNewsItem>[0])).toEqual({ imageKey: '' })
    const sponsor = { id: 's', name: 'S', logo: bad, website: bad }
    expect(harmlessSponsor(sponsor)).toEqual({ ...sponsor, logo: '', website: null })
    const page = { picture: { name: bad, alt: '' }, items: [{ spot: bad }], more: [{ label: 'x', path: bad }] }
    expect(harmlessPage(page as unknown as Parameters<typeof harmlessPage>[0])).toEqual({
      picture: null,
      items: [{ spot: '' }],
      more: [],
    })
    expect(harmlessNotice({ linkPath: bad } as Parameters<typeof harmlessNotice>[0])).toEqual({ linkPath: '/' })
  })

  test('what is right stays as it is', () => {
    const event = { detailsLink: 'https://example.org/a.pdf', imageKey: '/media/home/x.webp' }
    expect(harmlessEvent(event as Parameters<typeof harmlessEvent>[0])).toEqual(event)
    expect(harmlessNotice(null)).toBeNull()
  })
})
