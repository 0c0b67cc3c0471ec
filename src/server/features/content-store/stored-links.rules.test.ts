import { settingsOf } from './kinds/settings.kinds.ts'
import { describe, expect, test } from 'vitest'
import { SAMPLE_DIRECTORY } from '#server/config/profiles.ts'
import { readContentFiles } from '#server/features/seed/content-files.service.ts'
import {
  withSafeEventLinks,
  withSafeNewsLinks,
  withSafeAnnouncementLink,
  withSafePageLinks,
  withSafeSponsorLinks,
  readStoredSettings,
} from './stored-links.rules.ts'
import type { Settings } from './settings.schema.ts'

const { records } = readContentFiles(SAMPLE_DIRECTORY)
const { settings: SHIPPED } = settingsOf(records)
const stored = (change: (settings: Settings) => void): Settings => {
  const copy = structuredClone(SHIPPED)
  change(copy)
  return copy
}

describe('settings stored before the rules became stricter', () => {
  test('valid settings are unchanged', () => {
    expect(readStoredSettings(SHIPPED)).toEqual({ settings: SHIPPED, problems: [] })
  })

  test('an out-of-range number is kept and reported', () => {
    const old = stored(({ membership, rateLimits }) => {
      membership.graceDays = 1_000_000
      rateLimits.login.limit = 0
    })
    const { settings, problems } = readStoredSettings(old)
    expect(settings).toEqual(old)
    expect(problems).toEqual(['membership.graceDays', 'rateLimits.login.limit'])
  })

  test('an invalid map link becomes a search, an invalid social link is removed, and both are reported', () => {
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

  test('other invalid values throw an error that names the setting', () => {
    const broken = { ...SHIPPED, association: { ...SHIPPED.association, name: '' } }
    expect(() => readStoredSettings(broken)).toThrow(/name/)
  })
})

describe('records stored before URLs were validated', () => {
  const BAD = ['javascript:alert(1)', 'data:text/html,x', '//example.org', '/\\example.org', 'java\nscript:alert(1)']

  test.each(BAD)('%j is never a link', (bad) => {
    const event = { detailsLink: bad, imageKey: [bad, 'hero-gala'] } as Parameters<typeof withSafeEventLinks>[0]
    expect(withSafeEventLinks(event)).toEqual({ detailsLink: '', imageKey: ['hero-gala'] })
    expect(withSafeEventLinks({ ...event, imageKey: bad })).toMatchObject({ imageKey: '' })
    expect(withSafeNewsLinks({ imageKey: bad } as Parameters<typeof withSafeNewsLinks>[0])).toEqual({ imageKey: '' })
    const sponsor = { id: 's', name: 'S', logo: bad, website: bad }
    expect(withSafeSponsorLinks(sponsor)).toEqual({ ...sponsor, logo: '', website: null })
    const page = { picture: bad, pictureAlt: 'A', items: [{ spot: bad }], more: [{ label: 'x', path: bad }] }
    expect(withSafePageLinks(page as unknown as Parameters<typeof withSafePageLinks>[0])).toEqual({
      pictureAlt: 'A',
      items: [{ spot: '' }],
      more: [],
    })
    expect(withSafeAnnouncementLink({ linkPath: bad } as Parameters<typeof withSafeAnnouncementLink>[0])).toEqual({
      linkPath: '/',
    })
  })

  test('valid values are unchanged', () => {
    const event = { detailsLink: 'https://example.org/a.pdf', imageKey: '/media/home/x.webp' }
    expect(withSafeEventLinks(event as Parameters<typeof withSafeEventLinks>[0])).toEqual(event)
  })
})
