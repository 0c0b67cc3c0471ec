import * as z from 'zod/mini'
import { ownPathField, pictureField } from '#contract/fields.ts'
import { defineKind, defineSingle, field, textOf } from '../content-kind.rules.ts'
import { defineList } from '../list-kind.rules.ts'
import { artwork, day } from './fields.schema.ts'

/** Its id is the slug of its URL. */
const pageSchema = z.object({
  title: z.string(),
  description: z.string(),
  version: z.string(),
  updatedOn: day,
  lead: z.optional(z.string()),
  picture: z.optional(pictureField),
  pictureAlt: z.optional(z.string()),
  facts: z._default(z.array(z.object({ label: z.string(), value: z.string() })), []),
  items: z._default(z.array(z.object({ title: z.string(), text: z.string(), spot: artwork })), []),
  more: z._default(z.array(z.object({ label: z.string(), path: ownPathField })), []),
  markdown: z.string(),
})
export type PageValue = z.infer<typeof pageSchema>

export const pageKind = defineKind({
  kind: 'pages',
  schema: pageSchema,
  file: { name: 'pages/' },
  sortKey: ({ title }) => title,
  label: 'Pages',
  singular: 'page',
  lead: 'Text pages. Each has a fixed URL, so pages cannot be added or deleted here.',
  section: 'Text',
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
  title: ({ title }) => textOf(title),
  detail: ({ description }) => textOf(description),
  pathOf: (slug) => `/${slug}`,
})

export const faqKind = defineList({
  kind: 'faq',
  list: 'questions',
  // The answers are Markdown.
  items: z.array(z.object({ question: z.string(), answer: z.string() })),
  file: { name: 'faq.yaml' },
  label: 'Questions and answers',
  lead: 'Frequently asked questions, in the order of the page.',
  section: 'Text',
  listLabel: 'Questions',
  fields: [field('line', 'question', 'Question'), field('markdown', 'answer', 'Answer')],
  pathOf: () => '/faqs',
})

const announcementSchema = z.object({
  title: z.string(),
  text: z.string(),
  linkLabel: z.string(),
  linkPath: ownPathField,
  isOn: z.boolean(),
  endsOn: z.optional(day),
})
export type AnnouncementValue = z.infer<typeof announcementSchema>

export const announcementKind = defineSingle({
  kind: 'notice',
  schema: announcementSchema,
  file: { name: 'notice.yaml' },
  label: 'Announcement',
  lead: 'The announcement on every page, until it ends or is turned off.',
  section: 'Text',
  fields: [
    field('switch', 'isOn', 'Show it'),
    field('line', 'title', 'Title'),
    field('text', 'text', 'Text'),
    field('line', 'linkLabel', 'Link text'),
    field('line', 'linkPath', 'Link', { hint: 'A page of this site, such as /events.' }),
    field('day', 'endsOn', 'Last day', { isRequired: false }),
  ],
  pathOf: () => '/',
})

export const figureKind = defineList({
  kind: 'figures',
  list: 'figures',
  items: z.array(z.object({ value: z.string(), label: z.string(), asOf: day })),
  file: { name: 'figures.yaml' },
  label: 'Figures',
  lead: 'Numbers about the association, each with its date.',
  section: 'Text',
  listLabel: 'Figures',
  fields: [field('line', 'label', 'Label'), field('line', 'value', 'Value'), field('day', 'asOf', 'As of')],
  pathOf: () => '/',
})
