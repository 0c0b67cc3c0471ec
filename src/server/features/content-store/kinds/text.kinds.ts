import * as z from 'zod/mini'
import { ownPathField, pictureField } from '#contract/fields.ts'
import { defineKind, defineSingle, field, textOf } from '../content-kind.rules.ts'
import { defineList } from '../list-kind.rules.ts'
import { artwork, day, optionalList, optionalSwitch, quote } from './fields.schema.ts'

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
  itemsTitle: z.optional(z.string()),
  /** In large type at the top, with the picture beside it. */
  statement: z.optional(z.string()),
  quote: z.optional(quote),
  timelineTitle: z.optional(z.string()),
  timeline: optionalList(
    z.object({ year: z.string(), title: z.string(), text: z.string(), picture: z.optional(pictureField) }),
  ),
  /** Who can apply, and who cannot. */
  canApply: z.optional(z.array(z.string())),
  cannotApply: z.optional(z.array(z.string())),
  cards: optionalList(
    z.object({
      title: z.string(),
      text: z.string(),
      label: z.optional(z.string()),
      path: z.optional(ownPathField),
    }),
  ),
  /** Opens a page, or an email to the association if it has a subject. */
  action: z.optional(
    z.object({
      label: z.string(),
      path: z.optional(ownPathField),
      subject: z.optional(z.string()),
      body: z.optional(z.string()),
    }),
  ),
  /** Whether the page counts down to the scholarships' deadline, which is a setting. */
  hasDeadline: optionalSwitch,
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
  lead: 'The text pages that are always there, each at its own address.',
  section: 'Pages',
  fields: [
    field('line', 'title', 'Title'),
    field('text', 'description', 'Search engine description'),
    field('line', 'statement', 'Headline', {
      isRequired: false,
      hint: 'A short sentence in large type. The picture then stands beside it.',
    }),
    field('text', 'lead', 'Intro', { isRequired: false }),
    field('markdown', 'markdown', 'Text'),
    field('line', 'version', 'Version', {
      hint: 'Of a policy: “draft” until you agree to it, then 1, and another one whenever it changes. Each consent is stored with its version.',
    }),
    field('day', 'updatedOn', 'In effect since'),
    field('picture', 'picture', 'Picture', { isRequired: false }),
    field('line', 'pictureAlt', 'Alt text of the picture', { isRequired: false }),
    field('group', 'facts', 'At a glance', {
      fields: [field('line', 'label', 'Label'), field('line', 'value', 'Value')],
    }),
    field('line', 'itemsTitle', 'Heading of the aims, services or steps', { isRequired: false }),
    field('group', 'items', 'Aims, services or steps', {
      fields: [
        field('line', 'title', 'Title'),
        field('text', 'text', 'Text'),
        field('line', 'spot', 'Illustration', { hint: 'The name of a small illustration, as the others have.' }),
      ],
    }),
    field('lines', 'canApply', 'Who can apply', { isRequired: false, hint: 'One per line.' }),
    field('lines', 'cannotApply', 'Who cannot apply', { isRequired: false, hint: 'One per line.' }),
    field('text', 'quote.text', 'Quotation', {
      isRequired: false,
      hint: 'Without quotation marks. Ask the person before you publish it.',
    }),
    field('line', 'quote.name', 'Who said it', { isRequired: false }),
    field('line', 'quote.detail', 'About that person', { isRequired: false }),
    field('line', 'timelineTitle', 'Heading of the timeline', { isRequired: false }),
    field('group', 'timeline', 'Timeline', {
      fields: [
        field('line', 'title', 'Title'),
        field('line', 'year', 'Year'),
        field('text', 'text', 'Text'),
        field('picture', 'picture', 'Picture', { isRequired: false }),
      ],
    }),
    field('group', 'cards', 'Cards at the end', {
      fields: [
        field('line', 'title', 'Title'),
        field('text', 'text', 'Text'),
        field('line', 'label', 'Link text', { isRequired: false }),
        field('line', 'path', 'Path', { isRequired: false, hint: 'Starts with a slash.' }),
      ],
    }),
    field('line', 'action.label', 'Button in the panel', { isRequired: false }),
    field('line', 'action.path', 'The button opens this page', { isRequired: false, hint: 'Starts with a slash.' }),
    field('line', 'action.subject', 'Or it starts an email with this subject', {
      isRequired: false,
      hint: 'The email goes to the association’s address.',
    }),
    field('text', 'action.body', 'And with this text', {
      isRequired: false,
      hint: 'What the person should write and attach. It can be changed before sending.',
    }),
    field('switch', 'hasDeadline', 'Count down to the application deadline', {
      hint: 'The day is under Settings, Scholarships. The countdown starts with the month before.',
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
  items: z.array(
    z.object({
      question: z.string(),
      answer: z.string(),
      /** Questions with the same group stand together. */
      group: z.optional(z.string()),
      isOpen: optionalSwitch,
    }),
  ),
  file: { name: 'faq.yaml' },
  label: 'Questions and answers',
  lead: 'Frequently asked questions, in the order of the page.',
  section: 'Text',
  listLabel: 'Questions',
  fields: [
    field('line', 'question', 'Question'),
    field('markdown', 'answer', 'Answer'),
    field('line', 'group', 'Group', {
      isRequired: false,
      hint: 'Questions with the same group stand together under its name.',
    }),
    field('switch', 'isOpen', 'Open when the page loads'),
  ],
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
  items: z.array(
    z.object({ value: z.string(), label: z.string(), asOf: day, isFromRoll: z._default(z.boolean(), false) }),
  ),
  file: { name: 'figures.yaml' },
  label: 'Figures',
  lead: 'Numbers about the association, each with its date.',
  section: 'Text',
  listLabel: 'Figures',
  fields: [
    field('line', 'label', 'Label'),
    field('line', 'value', 'Value'),
    field('day', 'asOf', 'As of'),
    field('switch', 'isFromRoll', 'Count the members of the last sealed roll', {
      hint: 'Value and day then come from the roll, and change with the next seal. Until one is sealed, those above are shown.',
    }),
  ],
  pathOf: () => '/',
})
