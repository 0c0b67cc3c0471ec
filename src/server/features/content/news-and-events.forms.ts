import { formatDay } from '#contract/dates/days.ts'
import { CATEGORY_LABELS, NEWS_CATEGORIES } from '#contract/public/news.ts'
import { eventSchema, newsItemSchema } from '#server/features/content-store/content.schema.ts'
import { eventToFile, newsItemToFile, eventFromFile, newsItemFromFile } from './content-dates.rules.ts'
import { listEvents } from '#server/features/content-store/event.queries.ts'
import { saveEvent } from '#server/features/content-store/event.commands.ts'
import { removeEventWithoutGuests } from '#server/features/rsvps/remove-event.commands.ts'
import { listNews } from '#server/features/content-store/news.queries.ts'
import { deleteNewsItem, saveNewsItem } from '#server/features/content-store/news.commands.ts'
import { contentForm, field, slugify, textOf } from './form-builder.rules.ts'

const PICTURE_HINT = 'The name of an illustration of this site, such as event-lecture, or the URL of a picture.'

export const newsAndEventsForms = [
  contentForm({
    kind: 'events',
    label: 'Events',
    singular: 'event',
    lead: 'The association’s events. Type dates as text; the site formats them.',
    section: 'News and events',
    schema: eventSchema,
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
      field('pictures', 'imageKey', 'Pictures', { hint: `One per line. Cards show the first. ${PICTURE_HINT}` }),
      field('line', 'detailsLink', 'Button link', {
        isRequired: false,
        hint: 'A page of this site, such as /contact, or a URL that starts with https://. If empty, there is no button, or the RSVP form while the event takes RSVPs.',
      }),
      field('markdown', 'body', 'Description', { isRequired: false }),
    ],
    async list(db) {
      const events = (await listEvents(db)).sort((a, b) => ((a.startsOn ?? '') < (b.startsOn ?? '') ? 1 : -1))
      return events.map((event) => ({ id: event.id, value: eventToFile(event) }))
    },
    publish: async (db, _id, event, { today }) => saveEvent(db, eventFromFile(event, today)),
    remove: removeEventWithoutGuests,
    idFor: ({ title }) => slugify(title),
    // A missing link in a content file means the list of events; an empty one in the form means no button.
    addMissing: (value, id) => ({ detailsLink: '', ...value, id }),
    title: ({ title }) => textOf(title),
    detail: ({ date, location }) => [date, location].map(textOf).filter(Boolean).join(', '),
    pathOf: (id) => `/events/${id}`,
  }),
  contentForm({
    kind: 'news',
    label: 'News',
    singular: 'news item',
    lead: 'News for members and the press.',
    section: 'News and events',
    schema: newsItemSchema,
    fields: [
      field('line', 'title', 'Title'),
      field('day', 'date', 'Date'),
      field('choice', 'category', 'Category', {
        options: NEWS_CATEGORIES.map((value) => ({ value, label: CATEGORY_LABELS[value] })),
      }),
      field('line', 'author', 'Author'),
      field('text', 'excerpt', 'Summary', { hint: 'One or two sentences, shown on cards and under the title.' }),
      field('picture', 'imageKey', 'Picture', { hint: PICTURE_HINT }),
      field('markdown', 'content', 'Text'),
    ],
    list: async (db) => (await listNews(db)).map((item) => ({ id: item.id, value: newsItemToFile(item) })),
    publish: async (db, _id, item, { today }) => saveNewsItem(db, newsItemFromFile(item, today)),
    remove: deleteNewsItem,
    idFor: ({ title }) => slugify(title),
    addMissing: (value, id) => ({ ...value, id }),
    title: ({ title }) => textOf(title),
    detail: ({ date }) => (textOf(date) ? formatDay(textOf(date)) : ''),
    pathOf: (id) => `/news/${id}`,
    initialValue: (today) => ({ date: today, category: 'news' }),
  }),
]
