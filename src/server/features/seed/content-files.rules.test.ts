import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recordSet } from '#server/features/content-store/record-set.rules.ts'
import { committeeKind, currentLeaders } from '#server/features/content-store/kinds/people.kinds.ts'
import { ART_DIRECTORY } from '#server/media-store/pictures/site-illustrations.ts'
import { settingsOf } from '#server/features/content-store/kinds/settings.kinds.ts'
import { announcementKind, figureKind, pageKind } from '#server/features/content-store/kinds/text.kinds.ts'
import { ContentError, readContentFiles, readSampleFiles, readSampleRecords } from './content-files.service.ts'
import { SAMPLE_DIRECTORY } from '#server/config/profiles.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-content-'))
  cpSync(SAMPLE_DIRECTORY, folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Changes one file and returns the message that reading it throws. */
function errorAfter(file: string, from: string | RegExp, to: string): string {
  const path = join(folder, file)
  const before = readFileSync(path, 'utf8')
  const after = before.replace(from, to)
  if (after === before) throw new Error(`${String(from)} does not occur in ${file}`)
  writeFileSync(path, after)
  try {
    if (!file.startsWith('samples')) readContentFiles(folder)
    else {
      readSampleFiles(folder)
      readSampleRecords(folder, '2026-11-21')
    }
  } catch (error) {
    if (error instanceof ContentError) return error.message
    throw error
  }
  return ''
}

describe('the shipped content', () => {
  const files = readContentFiles(SAMPLE_DIRECTORY)

  test('has the five levels that were asked for at their prices', () => {
    const levels = files.levels.map(({ key, unitAmount, interval }) => [key, unitAmount, interval ?? 'once'])
    expect(levels).toEqual(
      expect.arrayContaining([
        ['annual_member', 10_000, 'year'],
        ['life_member', 100_000, 'once'],
        ['resident_fellow', 2_500, 'year'],
        ['medical_student', 0, 'year'],
        ['associate_member', 5_000, 'year'],
      ]),
    )
    expect(new Set(files.levels.map(({ currency }) => currency))).toEqual(new Set(['usd']))
  })

  test('has both legal pages, with a version and a date (docs/product-rules.md#legal-pages-have-versions)', () => {
    const agreed = files.records
      .list(pageKind)
      .filter(({ id }) => id === 'privacy-policy' || id === 'terms-conditions')
      .map(({ value }) => value)
    expect(agreed).toHaveLength(2)
    for (const { version, updatedOn, markdown } of agreed) {
      expect(version).not.toBe('')
      expect(updatedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      expect(markdown.length).toBeGreaterThan(500)
    }
  })

  test('has the figures with their dates (docs/product-rules.md#figures-and-names-that-age)', () => {
    expect(files.records.single(figureKind)?.figures.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['30+', '2k+', '50+']),
    )
  })

  test('has the announcement and a grace period of 14 days', () => {
    const { settings } = settingsOf(files.records)
    expect(files.records.single(announcementKind)?.title).toBe('Password Reset Notice')
    expect(settings.membership.graceDays).toBe(14)
    expect(settings.session.days).toBe(7)
  })

  test('has the sample accounts, all with the same password', () => {
    const { accounts, password } = readSampleFiles(SAMPLE_DIRECTORY).accounts
    expect(password).toBe('Peachtree-1987')
    expect(accounts.map(({ email }) => email)).toEqual([
      'annual@example.org',
      'life@example.org',
      'lapsed@example.org',
      'student@example.org',
      'officer@example.org',
    ])
    expect(accounts.filter(({ isOfficer }) => isOfficer).map(({ email }) => email)).toEqual(['officer@example.org'])
  })
})

describe('the sample people', () => {
  const records = recordSet(
    readSampleRecords(SAMPLE_DIRECTORY, '2026-11-21').flatMap(({ kind, records: found }) =>
      found.map((record) => ({ ...record, kind: kind.kind, revision: null })),
    ),
  )
  const bodies = currentLeaders(records).map(({ members }) => members)

  test('have a portrait each, which no one else has', () => {
    const chairs = (records.single(committeeKind)?.committees ?? []).map(({ members, portrait }) => ({
      name: members[0],
      portrait,
    }))
    const owners = new Map<string | undefined, Set<string | undefined>>()
    for (const { name, portrait } of [...bodies.flat(), ...chairs])
      owners.set(portrait, (owners.get(portrait) ?? new Set()).add(name))
    expect([...owners].filter(([portrait, names]) => names.size !== 1 || !isDrawn(portrait))).toEqual([])
    expect(bodies.map((members) => members.length)).toEqual([6, 12, 9])
  })

  test('pages with samples are pages of the site', () => {
    const samples = readFileSync(join(SAMPLE_DIRECTORY, 'samples/pages.yaml'), 'utf8')
    const named = [...samples.matchAll(/^([a-z-]+):/gm)].map(([, id]) => id)
    expect(records.list(pageKind).map(({ id }) => id)).toEqual(named)
  })
})

function isDrawn(portrait: string | undefined): boolean {
  return portrait !== undefined && existsSync(join(ART_DIRECTORY, `${portrait}.svg`))
}

describe('a mistake names the file, the field and how to fix it', () => {
  test.each<[string, string, string | RegExp, string, RegExp]>([
    [
      'a key with a space',
      'levels.yaml',
      'key: life_member',
      'key: life member',
      /levels\.yaml cannot be used:\n {2}line \d+, 1\.key: use lowercase letters joined by underscores/,
    ],
    ['an amount in dollars', 'levels.yaml', 'unitAmount: 2500', 'unitAmount: 25.50', /2\.unitAmount/],
    ['a negative amount', 'levels.yaml', 'unitAmount: 2500', 'unitAmount: -1', /2\.unitAmount/],
    ['a currency in words', 'levels.yaml', 'currency: usd', 'currency: dollars', /0\.currency: use a code such as usd/],
    ['an unknown interval', 'levels.yaml', 'interval: year', 'interval: fortnight', /0\.interval/],
    ['a missing name', 'levels.yaml', /name: Annual Member\n/, 'nickname: Annual\n', /0\.name/],
    [
      'an announcement with an invalid switch',
      'notice.yaml',
      'isOn: true',
      'isOn: perhaps',
      /notice\.yaml cannot be used:\n {2}line \d+, isOn/,
    ],
    [
      'a link without a slash',
      'notice.yaml',
      '/reset-password',
      'reset-password',
      /linkPath: Please enter a page of this site that begins with a slash/,
    ],
    ['a figure without quotes around its day', 'figures.yaml', /asOf: .*/, 'asOf: 2025', /0\.asOf/],
    [
      'a page with a date in words',
      'pages/privacy-policy.md',
      /updatedOn: .*/,
      "updatedOn: 'November 1'",
      /privacy-policy\.md cannot be used:\n {2}line \d+, updatedOn: use a date such as 2026-11-01, in quotes/,
    ],
    [
      'a page without front matter',
      'pages/privacy-policy.md',
      /^---\n/,
      '',
      /privacy-policy\.md: start the file with title, description, version and updatedOn/,
    ],
    [
      'a grace period in words',
      'settings.yaml',
      /^region:/m,
      'membership: { graceDays: two weeks }\nregion:',
      /settings\.yaml cannot be used:\n {2}line \d+, membership\.graceDays/,
    ],
    [
      'a limit of nothing',
      'settings.yaml',
      /^region:/m,
      'rateLimits: { login: { limit: 0 } }\nregion:',
      /rateLimits\.login\.limit/,
    ],
    ['an invalid link', 'settings.yaml', 'https://www.facebook.com/', 'facebook', /association\.socialLinks\.0\.url/],
    [
      'an invalid email address',
      'samples/accounts.yaml',
      'email: life@example.org',
      'email: life',
      /accounts\.yaml cannot be used:\n {2}line \d+, accounts\.1\.email/,
    ],
    [
      'an event without a day',
      'samples/events.yaml',
      "  in: '-700 days'\n",
      '',
      /events\.yaml cannot be used:\n {2}line \d+, 0: give either date/,
    ],
    [
      'a timeline without a year',
      'samples/pages.yaml',
      "- year: '1987'\n      title",
      '- title',
      /pages\.yaml cannot be used:\n {2}line \d+, about\.timeline\.0\.year/,
    ],
    ['YAML that is none', 'notice.yaml', 'title:', 'title: [', /notice\.yaml: /],
  ])('%s', (_name, file, from, to, sentence) => {
    expect(errorAfter(file, from, to)).toMatch(sentence)
  })

  test('reports all mistakes of a file at once', () => {
    const path = join(folder, 'notice.yaml')
    writeFileSync(path, 'title: 1\ntext: 2\nlinkLabel: x\nlinkPath: x\nisOn: x\n')
    expect(() => readContentFiles(folder)).toThrow(/title.*\n.*text.*\n.*linkPath.*\n.*isOn/)
  })
})
