import * as z from 'zod/mini'
import type { ContentValue } from '#contract/console-content.ts'
import {
  faqSchema,
  figuresSchema,
  noticeSchema,
  pageSchema,
  sponsorsSchema,
  tiersSchema,
} from '../association/content-schemas.ts'
import {
  listFaq,
  listFigures,
  listPages,
  readNotice,
  replaceFaq,
  replaceFigures,
  replaceNotice,
  replacePages,
  type StoredPage,
} from '../association/content.repository.ts'
import { listSponsors, listTiers, replaceSponsors, replaceTiers } from '../sponsors/sponsor.repository.ts'
import { contentForm, field, textOf, withIds } from './content-form.ts'
import { single } from './single-form.ts'

export const wordForms = [
  contentForm({
    kind: 'pages',
    label: 'Pages',
    one: 'page',
    lead: 'The pages that are mostly words. Each has its address, so none is added or taken away here.',
    section: 'Words',
    schema: z.extend(pageSchema, { markdown: z.string() }),
    fields: [
      field('line', 'title', 'Title'),
      field('text', 'description', 'For search engines'),
      field('text', 'lead', 'Under the title', { isRequired: false }),
      field('markdown', 'markdown', 'The words'),
      field('line', 'version', 'Version', { hint: 'Raise it when terms change: consents are kept with it.' }),
      field('day', 'updatedOn', 'In force since'),
      field('picture', 'picture', 'Picture', { isRequired: false }),
      field('line', 'pictureAlt', 'What the picture shows', { isRequired: false }),
      field('group', 'facts', 'At a glance', {
        fields: [field('line', 'label', 'What'), field('line', 'value', 'How it is')],
      }),
      field('group', 'items', 'Aims, services or steps', {
        fields: [
          field('line', 'title', 'Title'),
          field('text', 'text', 'Words'),
          field('line', 'spot', 'Small picture', { hint: 'The name of a drawing, as others have it.' }),
        ],
      }),
      field('group', 'more', 'Links to more', {
        fields: [field('line', 'label', 'Words'), field('line', 'path', 'Address', { hint: 'Begins with a slash.' })],
      }),
    ],
    async list(db) {
      const pages = (await listPages(db)).sort((a, b) => (a.title < b.title ? -1 : 1))
      return pages.map((page) => ({ id: page.slug, value: pageFile(page) }))
    },
    publish: async (db, slug, page) => replacePages(db, [{ ...page, slug }]),
    title: ({ title }) => textOf(title),
    detail: ({ description }) => textOf(description),
    pathOf: (slug) => `/${slug}`,
  }),
  single({
    kind: 'faq',
    label: 'Questions and answers',
    lead: 'What visitors ask, in the order of the page.',
    section: 'Words',
    schema: z.object({ questions: faqSchema }),
    fields: [
      field('group', 'questions', 'Questions', {
        fields: [field('line', 'question', 'Question'), field('markdown', 'answer', 'Answer')],
      }),
    ],
    read: async (db) => ({ questions: await listFaq(db) }),
    publish: (db, { questions }, newId) => replaceFaq(db, questions, newId),
    pathOf: () => '/faqs',
  }),
  single({
    kind: 'notice',
    label: 'Notice',
    lead: 'The small notice on every page, until it ends or is switched off.',
    section: 'Words',
    schema: noticeSchema,
    fields: [
      field('switch', 'isOn', 'Show it'),
      field('line', 'title', 'Title'),
      field('text', 'text', 'Words'),
      field('line', 'linkLabel', 'Words of its link'),
      field('line', 'linkPath', 'Where the link leads', { hint: 'A page of this site, such as /events.' }),
      field('day', 'endsOn', 'Last day', { isRequired: false }),
    ],
    read: readNotice,
    publish: replaceNotice,
    pathOf: () => '/',
  }),
  single({
    kind: 'figures',
    label: 'Figures',
    lead: 'What the association says of itself in numbers, with the day each was true.',
    section: 'Words',
    schema: z.object({ figures: figuresSchema }),
    fields: [
      field('group', 'figures', 'Figures', {
        fields: [
          field('line', 'label', 'What is counted'),
          field('line', 'value', 'How many'),
          field('day', 'asOf', 'True on'),
        ],
      }),
    ],
    read: async (db) => ({ figures: await listFigures(db) }),
    publish: (db, { figures }, newId) => replaceFigures(db, figures, newId),
    pathOf: () => '/',
  }),
  single({
    kind: 'tiers',
    label: 'Sponsorship tiers',
    lead: 'What a sponsor can choose. Orders keep what was promised when they were made.',
    section: 'Support',
    schema: z.object({ tiers: tiersSchema }),
    fields: [
      field('group', 'tiers', 'Tiers', {
        fields: [
          field('line', 'name', 'Name'),
          field('line', 'amountLabel', 'Amount as shown'),
          field('dollars', 'unitAmount', 'Amount', {
            isRequired: false,
            hint: 'Empty: the sponsor names it. Changing it needs the permission to change payments.',
          }),
          field('number', 'remarksMinutes', 'Minutes of remarks', { isRequired: false }),
          field('switch', 'reservedTable', 'A reserved table'),
          field('lines', 'benefits', 'Benefits', { isRequired: false, hint: 'One on each line.' }),
        ],
      }),
    ],
    guards: [
      {
        field: 'tiers',
        permission: 'money.change',
        sentence: 'Only an officer who may change payments can change what a tier costs',
        of: ({ tiers }) => new Map((tiers as ContentValue[]).map(({ key, unitAmount }) => [key, unitAmount ?? null])),
      },
    ],
    read: async (db) => ({ tiers: await listTiers(db) }),
    publish: (db, { tiers }) => replaceTiers(db, tiers),
    complete({ tiers, ...value }) {
      const each = (withIds(tiers, 'key', 'name') ?? []) as object[]
      const empty = { unitAmount: null, remarksMinutes: null, reservedTable: false, benefits: [] }
      return { ...value, tiers: each.map((tier) => ({ ...empty, ...tier })) }
    },
    pathOf: () => '/sponsor-us',
  }),
  single({
    kind: 'sponsors',
    label: 'Sponsors’ wall',
    lead: 'Whose logos stand on the site, in their order.',
    section: 'Support',
    schema: z.object({ sponsors: sponsorsSchema }),
    fields: [
      field('group', 'sponsors', 'Sponsors', {
        fields: [
          field('line', 'name', 'Name'),
          field('picture', 'logo', 'Logo'),
          field('line', 'website', 'Website', { isRequired: false, hint: 'Begins with https://' }),
        ],
      }),
    ],
    read: async (db) => ({ sponsors: await listSponsors(db) }),
    publish: (db, { sponsors }) => replaceSponsors(db, sponsors),
    complete: (value) => ({ ...value, sponsors: withIds(value['sponsors'], 'id', 'name') }),
    pathOf: () => '/sponsor-us',
  }),
]

function pageFile({ slug: _slug, lead, picture, ...page }: StoredPage) {
  return {
    ...page,
    ...(lead !== null && { lead }),
    ...(picture && { picture: picture.name, pictureAlt: picture.alt }),
  }
}
