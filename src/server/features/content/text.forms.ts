import * as z from 'zod/mini'
import type { ContentValue } from '#contract/console/content.ts'
import {
  faqSchema,
  figuresSchema,
  announcementSchema,
  pageSchema,
  sponsorsSchema,
  tiersSchema,
} from '#server/features/content-store/content.schema.ts'
import {
  listFaq,
  listFigures,
  listPages,
  readAnnouncement,
  type StoredPage,
} from '#server/features/content-store/content.queries.ts'
import {
  replaceFaq,
  replaceFigures,
  replaceAnnouncement,
  replacePages,
} from '#server/features/content-store/content.commands.ts'
import { listSponsors, listTiers } from '#server/features/content-store/sponsor.queries.ts'
import { replaceSponsors, replaceTiers } from '#server/features/content-store/sponsor.commands.ts'
import { contentForm, field, textOf, withIds } from './form-builder.rules.ts'
import { singleRecordForm } from './single.forms.ts'

export const textForms = [
  contentForm({
    kind: 'pages',
    label: 'Pages',
    singular: 'page',
    lead: 'Text pages. Each has a fixed URL, so pages cannot be added or deleted here.',
    section: 'Text',
    schema: z.extend(pageSchema, { markdown: z.string() }),
    fields: [
      field('line', 'title', 'Title'),
      field('text', 'description', 'Search engine description'),
      field('text', 'lead', 'Intro', { isRequired: false }),
      field('markdown', 'markdown', 'Text'),
      field('line', 'version', 'Version', {
        hint: 'Change it when the terms change: each consent is stored with its version.',
      }),
      field('day', 'updatedOn', 'In effect since'),
      field('picture', 'picture', 'Picture', { isRequired: false }),
      field('line', 'pictureAlt', 'Alt text of the picture', { isRequired: false }),
      field('group', 'facts', 'At a glance', {
        fields: [field('line', 'label', 'Label'), field('line', 'value', 'Value')],
      }),
      field('group', 'items', 'Aims, services or steps', {
        fields: [
          field('line', 'title', 'Title'),
          field('text', 'text', 'Text'),
          field('line', 'spot', 'Illustration', { hint: 'The name of a small illustration, as the others have.' }),
        ],
      }),
      field('group', 'more', 'Related links', {
        fields: [field('line', 'label', 'Link text'), field('line', 'path', 'Path', { hint: 'Starts with a slash.' })],
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
  singleRecordForm({
    kind: 'faq',
    label: 'Questions and answers',
    lead: 'Frequently asked questions, in the order of the page.',
    section: 'Text',
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
  singleRecordForm({
    kind: 'notice',
    label: 'Announcement',
    lead: 'The announcement on every page, until it ends or is turned off.',
    section: 'Text',
    schema: announcementSchema,
    fields: [
      field('switch', 'isOn', 'Show it'),
      field('line', 'title', 'Title'),
      field('text', 'text', 'Text'),
      field('line', 'linkLabel', 'Link text'),
      field('line', 'linkPath', 'Link', { hint: 'A page of this site, such as /events.' }),
      field('day', 'endsOn', 'Last day', { isRequired: false }),
    ],
    read: readAnnouncement,
    publish: replaceAnnouncement,
    pathOf: () => '/',
  }),
  singleRecordForm({
    kind: 'figures',
    label: 'Figures',
    lead: 'Numbers about the association, each with its date.',
    section: 'Text',
    schema: z.object({ figures: figuresSchema }),
    fields: [
      field('group', 'figures', 'Figures', {
        fields: [field('line', 'label', 'Label'), field('line', 'value', 'Value'), field('day', 'asOf', 'As of')],
      }),
    ],
    read: async (db) => ({ figures: await listFigures(db) }),
    publish: (db, { figures }, newId) => replaceFigures(db, figures, newId),
    pathOf: () => '/',
  }),
  singleRecordForm({
    kind: 'tiers',
    label: 'Sponsorship tiers',
    lead: 'What sponsors can choose. Existing orders keep the benefits they were made with.',
    section: 'Support',
    schema: z.object({ tiers: tiersSchema }),
    fields: [
      field('group', 'tiers', 'Tiers', {
        fields: [
          field('line', 'name', 'Name'),
          field('line', 'amountLabel', 'Amount as shown'),
          field('dollars', 'unitAmount', 'Amount', {
            isRequired: false,
            hint: 'If empty, the sponsor enters the amount. Changing it requires the permission to change payments.',
          }),
          field('number', 'remarksMinutes', 'Minutes of remarks', { isRequired: false }),
          field('switch', 'reservedTable', 'Reserved table'),
          field('lines', 'benefits', 'Benefits', { isRequired: false, hint: 'One per line.' }),
        ],
      }),
    ],
    guards: [
      {
        field: 'tiers',
        permission: 'money.change',
        message: 'Only an officer with permission to change payments can change the price of a tier',
        select: ({ tiers }) =>
          new Map((tiers as ContentValue[]).map(({ key, unitAmount }) => [key, unitAmount ?? null])),
      },
    ],
    read: async (db) => ({ tiers: await listTiers(db) }),
    publish: (db, { tiers }) => replaceTiers(db, tiers),
    addMissing({ tiers, ...value }) {
      const withKeys = (withIds(tiers, 'key', 'name') ?? []) as object[]
      const empty = { unitAmount: null, remarksMinutes: null, reservedTable: false, benefits: [] }
      return { ...value, tiers: withKeys.map((tier) => ({ ...empty, ...tier })) }
    },
    pathOf: () => '/sponsor-us',
  }),
  singleRecordForm({
    kind: 'sponsors',
    label: 'Sponsor wall',
    lead: 'The logos shown on the site, in order.',
    section: 'Support',
    schema: z.object({ sponsors: sponsorsSchema }),
    fields: [
      field('group', 'sponsors', 'Sponsors', {
        fields: [
          field('line', 'name', 'Name'),
          field('picture', 'logo', 'Logo'),
          field('line', 'website', 'Website', { isRequired: false, hint: 'Starts with https://' }),
        ],
      }),
    ],
    read: async (db) => ({ sponsors: await listSponsors(db) }),
    publish: (db, { sponsors }) => replaceSponsors(db, sponsors),
    addMissing: (value) => ({ ...value, sponsors: withIds(value['sponsors'], 'id', 'name') }),
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
