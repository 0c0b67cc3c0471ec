import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from '#contract/all-endpoints.ts'
import { editableKinds } from '#server/features/content-store/content-kinds.registry.ts'
import { levelsSchema } from '#server/features/levels/level.schema.ts'
import { fileFormats, LEVELS_FILE } from '#server/features/seed/content-format.registry.ts'
import { campaignFileSchema, campaignsSchema } from '#server/features/seed/samples.schema.ts'
import { fieldsOf, leavesOf, type SchemaField } from '#tests/support/schema-fields.ts'

/** All external input: API calls, content files, console forms. */
const fields: SchemaField[] = [
  ...endpoints.flatMap(({ name, body, query, params }) =>
    [body, query, params].flatMap((schema) => (schema ? fieldsOf(schema, name) : [])),
  ),
  ...fieldsOf(levelsSchema, LEVELS_FILE),
  ...fileFormats.flatMap(({ name, schema }) => fieldsOf(schema, name)),
  ...editableKinds.flatMap(({ kind, schema }) => fieldsOf(schema, kind)),
  ...fieldsOf(campaignFileSchema, 'campaign file'),
  ...fieldsOf(campaignsSchema, 'campaigns'),
]

/** Fields whose names suggest a URL. */
const NAMED_LIKE_ADDRESS =
  /(?:url|uri|href|link|website|site|src|picture|logo|image|imagekey|path|photo|portrait|address)$/i
/** The path of a field. */
const NO_WEB_ADDRESS = ['events.yaml[].address', 'events.address']

const HOSTILE = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript://example.org/%0Aalert(1)',
  'javascript:alert',
  'data:text/html,x',
  'data:text/html;base64,PHNjcmlwdD4',
  'vbscript:msgbox',
  'file:///etc/passwd',
  'blob:https://example.org/1',
  'ftp://example.org/x',
  '//example.org/x',
  '/\\example.org',
  '\\\\example.org',
  '\\/example.org',
  '/\t/example.org',
  '/\n/example.org',
  'https:\\\\example.org',
  'https://',
  'https://user:password@example.org/',
  'https://example.org/"onmouseover=alert(1)',
  'mailto:a@example.org',
]

const addresses = fields.filter(
  ({ name, path, schema }) =>
    NAMED_LIKE_ADDRESS.test(name) &&
    !NO_WEB_ADDRESS.includes(path) &&
    leavesOf(schema).some((leaf) => (leaf._zod.def as { type: string }).type === 'string'),
)

describe('every URL field', () => {
  test('is recognized by its name', () => {
    const found = [...new Set(addresses.map(({ path }) => path))]
    // If a field is renamed and no longer recognized here, the list gets shorter.
    expect(found.toSorted()).toMatchInlineSnapshot(`
      [
        "added-pages.address",
        "added-pages.more[].path",
        "added-pages.picture",
        "added-pages.yaml[].address",
        "added-pages.yaml[].more[].path",
        "added-pages.yaml[].picture",
        "campaign file.picture",
        "campaigns[].picture",
        "committees.committees[].portrait",
        "committees.yaml.committees[].portrait",
        "events.detailsLink",
        "events.imageKey",
        "events.yaml[].detailsLink",
        "events.yaml[].imageKey",
        "home.join.path",
        "home.learnMore.path",
        "home.slides[].path",
        "home.slides[].picture",
        "home.yaml.join.path",
        "home.yaml.learnMore.path",
        "home.yaml.slides[].path",
        "home.yaml.slides[].picture",
        "join-page.voice.portrait",
        "join-page.yaml.voice.portrait",
        "leaders.members[].portrait",
        "leaders.yaml[].members[].portrait",
        "news.about.path",
        "news.imageKey",
        "news.yaml[].about.path",
        "news.yaml[].imageKey",
        "notice.linkPath",
        "notice.yaml.linkPath",
        "pages.action.path",
        "pages.cards[].path",
        "pages.more[].path",
        "pages.picture",
        "pages.timeline[].picture",
        "pages/.action.path",
        "pages/.cards[].path",
        "pages/.more[].path",
        "pages/.picture",
        "pages/.timeline[].picture",
        "saveEmailToMembers.blocks[].src",
        "saveEmailToMembers.blocks[].url",
        "saveMailProvider.fromAddress",
        "saveNewsletter.blocks[].src",
        "saveNewsletter.blocks[].url",
        "settings-association.mapLink",
        "settings-association.socialLinks[].url",
        "settings-clinic.mapLink",
        "settings.yaml.association.mapLink",
        "settings.yaml.association.socialLinks[].url",
        "settings.yaml.clinic.mapLink",
        "sponsors.sponsors[].logo",
        "sponsors.sponsors[].website",
        "sponsors.yaml[].logo",
        "sponsors.yaml[].website",
      ]
    `)
  })

  test.each([...new Map(addresses.map((field) => [field.path, field])).values()])(
    '$path rejects unsafe URLs',
    ({ schema }) => {
      const taken = HOSTILE.filter((text) => z.safeParse(schema, text).success || z.safeParse(schema, [text]).success)
      expect(taken).toEqual([])
    },
  )
})

describe('every number', () => {
  const numbers = fields.flatMap(({ path, schema }) =>
    leavesOf(schema)
      .filter((leaf) => ['number', 'int'].includes((leaf._zod.def as { type: string }).type))
      .map((leaf) => ({ path, leaf })),
  )
  // The version of a record that the browser has: compared for equality only.
  const isCompared = (path: string) => /\.(?:version|number|at)$/.test(path)
  // Parsed from a decimal text and validated in cents, with its own messages (sponsorship.rules.ts).
  const isJudgedLater = (path: string) => path === 'startSponsorship.amount'

  test.each(
    [...new Map(numbers.map((one) => [one.path, one])).values()].filter(
      ({ path }) => !isCompared(path) && !isJudgedLater(path),
    ),
  )('$path has a floor and a ceiling', ({ leaf }) =>
    expect([-1e9, 1e9, Infinity, NaN].filter((number) => z.safeParse(leaf, number).success)).toEqual([]),
  )
})
