import * as z from 'zod/mini'
import { formatDay } from '#contract/dates/days.ts'
import { parseEventDate } from '#contract/dates/event-dates.ts'
import { emailField, linkField, ownPathField, pictureField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { CATEGORY_LABELS, NEWS_CATEGORIES } from '#contract/public/news.ts'
import { defineKind, field, slugify, textOf } from '../content-kind.rules.ts'
import { day, optionalList, optionalSwitch, quote, slug } from './fields.schema.ts'
import { resolveDay, resolveEventDate, WEEKDAYS, type FileDay } from './relative-dates.rules.ts'

const PICTURE_HINT = 'The name of an illustration of this site, such as event-lecture, or the URL of a picture.'

const relativeDays = z
  .string()
  .check(z.regex(/^-?\d{1,4} days?$/, "use a number of days such as '40 days' or '-7 days'"))
const hasDay = (item: FileDay) => (item.in === undefined) !== (item.date === undefined)

/** What an event without a picture shows. */
const DEFAULT_PICTURE = 'event-lecture'

/** An event, in every place where it is stored, edited or written to a file. What its texts mean is computed when it is read. */
const eventSchema = z.object({
  id: slug,
  title: z.string(),
  description: z.string(),
  /** Such as 'December 12-14, 2026', as typed. */
  date: z.string(),
  /** Such as '6:00 PM to 10:00 PM', as typed. */
  time: z.optional(z.string()),
  location: z.string(),
  address: z.optional(z.string()),
  imageKey: z._default(
    z.pipe(
      z.union([pictureField, z.array(pictureField).check(z.minLength(1))], messages.address.picture),
      z.transform((picture: string | string[]) =>
        Array.isArray(picture) && picture.length === 1 ? (picture[0] ?? '') : picture,
      ),
    ),
    DEFAULT_PICTURE,
  ),
  /** An empty string: no button. */
  detailsLink: z._default(z.union([z.literal(''), linkField], messages.address.link), '/events'),
  /** Such as '$120, members $90', as typed. */
  priceLine: z.optional(z.string()),
  /** Such as '3 CME hours', 'Families' and 'Savannah'. */
  facts: z.optional(z.array(z.string()).check(z.maxLength(4, 'Please keep this to four short facts'))),
  /** Anyone may come without an RSVP. */
  needsNoRsvp: optionalSwitch,
  /** The day from which it takes RSVPs, as announced; officers open them. */
  rsvpOpensOn: z.optional(day),
  goodToKnow: optionalList(z.object({ label: z.string(), value: z.string() })),
  /** Whom to ask about it. */
  contact: z.optional(z.object({ name: z.string(), role: z.optional(z.string()), email: z.optional(emailField) })),
  quote: z.optional(quote),
  /** Whether the home page opens with it. */
  isFeatured: optionalSwitch,
  /** Markdown. */
  body: z._default(z.string(), ''),
})
export type EventValue = z.infer<typeof eventSchema>

const eventItem = z
  .extend(eventSchema, {
    date: z.optional(z.string()),
    in: z.optional(relativeDays),
    weekday: z.optional(z.enum(WEEKDAYS, 'name a weekday')),
    days: z._default(z.int().check(z.gte(1), z.lte(60)), 1),
    /** Instead of `rsvpOpensOn`. */
    rsvpOpensIn: z.optional(relativeDays),
  })
  .check(z.refine(hasDay, "give either date, such as 'December 12-14, 2026', or in, such as '40 days'"))

export const eventKind = defineKind({
  kind: 'events',
  schema: eventSchema,
  file: {
    name: 'events.yaml',
    isSample: true,
    idOf: ({ id }) => textOf(id),
    item: {
      schema: eventItem,
      resolve({ in: distance, weekday, days, date, rsvpOpensIn, ...event }: z.infer<typeof eventItem>, today) {
        const opening = rsvpOpensIn && { rsvpOpensOn: resolveDay({ in: rsvpOpensIn, date: undefined }, today) }
        return { ...event, ...opening, date: resolveEventDate({ in: distance, weekday, days, date }, today) }
      },
    },
  },
  sortKey: ({ id, date }) => `${parseEventDate(date)?.startsOn ?? ''} ${id}`,
  isNewestFirst: true,
  label: 'Events',
  singular: 'event',
  lead: 'The association’s events. Type dates as text; the site formats them.',
  section: 'News and events',
  fields: [
    field('line', 'title', 'Title'),
    field('text', 'description', 'Summary', { hint: 'One or two sentences, shown on cards and under the title.' }),
    field('eventDate', 'date', 'Date', { hint: 'Such as December 12-14, 2026.' }),
    field('eventTime', 'time', 'Time', { isRequired: false, hint: 'Such as 6:00 PM to 10:00 PM.' }),
    field('line', 'location', 'Place'),
    field('line', 'address', 'Address', {
      isRequired: false,
      hint: 'For the map, if the place alone is not enough.',
    }),
    field('pictures', 'imageKey', 'Pictures', {
      isRequired: false,
      hint: `One per line. Cards show the first; without one, they show an illustration. ${PICTURE_HINT}`,
    }),
    field('line', 'detailsLink', 'Button link', {
      isRequired: false,
      hint: 'A page of this site, such as /contact, or a URL that starts with https://. A new event gets its own page. If it is emptied, there is no button, or the RSVP form while the event takes RSVPs.',
    }),
    field('markdown', 'body', 'Description', { isRequired: false }),
    field('line', 'priceLine', 'Price', { isRequired: false, hint: 'Such as $120, members $90.' }),
    field('lines', 'facts', 'Facts', {
      isRequired: false,
      hint: 'Up to four, one per line: credit, price, who may come, where. Such as 3 CME hours.',
    }),
    field('switch', 'needsNoRsvp', 'No RSVP needed'),
    field('day', 'rsvpOpensOn', 'RSVPs open on', {
      isRequired: false,
      hint: 'Shown until RSVPs are open. Open them under RSVPs on that day.',
    }),
    field('group', 'goodToKnow', 'Good to know', {
      fields: [
        field('line', 'label', 'About', { hint: 'Such as Parking.' }),
        field('text', 'value', 'What guests should know'),
      ],
    }),
    field('line', 'contact.name', 'Contact person', {
      isRequired: false,
      hint: 'Whom guests can ask about this event. Visitors see the name until the event is over.',
    }),
    field('line', 'contact.role', 'About that person', { isRequired: false, hint: 'Such as Chair, Cultural Events.' }),
    field('line', 'contact.email', 'Email of that person', {
      isRequired: false,
      hint: 'If empty, questions go to the association’s address.',
    }),
    field('text', 'quote.text', 'Quotation', { isRequired: false }),
    field('line', 'quote.name', 'Who said it', { isRequired: false }),
    field('line', 'quote.detail', 'About that person', { isRequired: false }),
    field('switch', 'isFeatured', 'Show first on the home page'),
  ],
  canDelete: true,
  idFor: ({ title }) => slugify(title),
  // A missing link in a content file means the list of events; an empty one in the form means no button.
  addMissing: (value, id) => ({ detailsLink: '', ...value, id }),
  initial: (id) => ({ detailsLink: `/events/${id}` }),
  title: ({ title }) => textOf(title),
  detail: ({ date, location }) => [date, location].map(textOf).filter(Boolean).join(', '),
  pathOf: (id) => `/events/${id}`,
})

const newsSchema = z.object({
  id: slug,
  title: z.string(),
  date: day,
  excerpt: z.string(),
  /** Markdown. */
  content: z.string(),
  category: z.enum(NEWS_CATEGORIES, `use one of ${NEWS_CATEGORIES.join(', ')}`),
  author: z.string(),
  authorRole: z.optional(z.string()),
  about: z.optional(z.object({ label: z.string(), path: ownPathField })),
  imageKey: pictureField,
})
export type NewsValue = z.infer<typeof newsSchema>

const newsItem = z
  .extend(newsSchema, { date: z.optional(day), in: z.optional(relativeDays) })
  .check(z.refine(hasDay, "give either date, such as '2026-11-01', or in, such as '-7 days'"))

export const newsKind = defineKind({
  kind: 'news',
  schema: newsSchema,
  file: {
    name: 'news.yaml',
    isSample: true,
    idOf: ({ id }) => textOf(id),
    item: {
      schema: newsItem,
      resolve: ({ in: distance, date, ...item }: z.infer<typeof newsItem>, today) => ({
        ...item,
        date: resolveDay({ in: distance, date }, today),
      }),
    },
  },
  sortKey: ({ date }) => date,
  isNewestFirst: true,
  label: 'News',
  singular: 'news item',
  lead: 'News for members and the press.',
  section: 'News and events',
  fields: [
    field('line', 'title', 'Title'),
    field('day', 'date', 'Date'),
    field('choice', 'category', 'Category', {
      options: NEWS_CATEGORIES.map((value) => ({ value, label: CATEGORY_LABELS[value] })),
    }),
    field('line', 'author', 'Author'),
    field('line', 'authorRole', 'About the author', { isRequired: false, hint: 'Such as an office or a town.' }),
    field('text', 'excerpt', 'Summary', { hint: 'One or two sentences, shown on cards and under the title.' }),
    field('picture', 'imageKey', 'Picture', { hint: PICTURE_HINT }),
    field('markdown', 'content', 'Text'),
    field('line', 'about.label', 'What it is about', {
      isRequired: false,
      hint: 'Such as an event: the text of the link at the end.',
    }),
    field('line', 'about.path', 'Its page', { isRequired: false, hint: 'Starts with a slash, such as /events.' }),
  ],
  canDelete: true,
  idFor: ({ title }) => slugify(title),
  addMissing: (value, id) => ({ ...value, id }),
  title: ({ title }) => textOf(title),
  detail: ({ date }) => (textOf(date) ? formatDay(textOf(date)) : ''),
  pathOf: (id) => `/news/${id}`,
  initialValue: (today, { name }) => ({ date: today, category: 'news', author: name }),
})
