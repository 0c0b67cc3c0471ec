import { writeDay } from '#contract/days.ts'
import { CATEGORY_LABELS, NEWS_CATEGORIES } from '#contract/news.ts'
import { eventSchema, newsItemSchema } from '../association/content-schemas.ts'
import { eventFile, newsFile, storedEvent, storedNewsItem } from '../association/sample-days.rules.ts'
import { listEvents, saveEvent } from '../events/event.repository.ts'
import { removeUnlessAwaited } from '../events/remove-event.ts'
import { listNews, removeNewsItem, saveNewsItem } from '../news/news.repository.ts'
import { contentForm, field, slugOf, textOf } from './content-form.ts'

const PICTURE_HINT = 'The name of a drawing of this site such as event-lecture, or the address of a picture.'

export const newsAndEventsForms = [
  contentForm({
    kind: 'events',
    label: 'Events',
    one: 'event',
    lead: 'What the association invites to. Dates are read from what you write, and shown in the site’s own way.',
    section: 'News and events',
    schema: eventSchema,
    fields: [
      field('line', 'title', 'Title'),
      field('text', 'description', 'In one or two sentences', { hint: 'Stands on cards and under the title.' }),
      field('eventDate', 'date', 'Date', { hint: 'Such as December 12-14, 2026.' }),
      field('eventTime', 'time', 'Time', { isRequired: false, hint: 'Such as 6:00 PM to 10:00 PM.' }),
      field('line', 'location', 'Place'),
      field('line', 'address', 'Address', { isRequired: false, hint: 'For the map, where the place says too little.' }),
      field('pictures', 'imageKey', 'Pictures', { hint: `One on each line, the first on cards. ${PICTURE_HINT}` }),
      field('line', 'detailsLink', 'Where the button leads', {
        isRequired: false,
        hint: 'A page of this site such as /contact, or an address that begins with https://. Empty: no button, or the RSVP form while the event takes RSVPs.',
      }),
      field('markdown', 'body', 'More about it', { isRequired: false }),
    ],
    async list(db) {
      const events = (await listEvents(db)).sort((a, b) => ((a.startsOn ?? '') < (b.startsOn ?? '') ? 1 : -1))
      return events.map((event) => ({ id: event.id, value: eventFile(event) }))
    },
    publish: async (db, _id, event, { today }) => saveEvent(db, storedEvent(event, today)),
    remove: removeUnlessAwaited,
    idFor: ({ title }) => slugOf(title),
    // Left out, a content file means the list of events; a form that was left empty means no button.
    complete: (value, id) => ({ detailsLink: '', ...value, id }),
    title: ({ title }) => textOf(title),
    detail: ({ date, location }) => [date, location].map(textOf).filter(Boolean).join(', '),
    pathOf: (id) => `/events/${id}`,
  }),
  contentForm({
    kind: 'news',
    label: 'News',
    one: 'news item',
    lead: 'What happened, for members and for the press.',
    section: 'News and events',
    schema: newsItemSchema,
    fields: [
      field('line', 'title', 'Title'),
      field('day', 'date', 'Day'),
      field('choice', 'category', 'Kind', {
        options: NEWS_CATEGORIES.map((value) => ({ value, label: CATEGORY_LABELS[value] })),
      }),
      field('line', 'author', 'Author'),
      field('text', 'excerpt', 'In one or two sentences', { hint: 'Stands on cards and under the title.' }),
      field('picture', 'imageKey', 'Picture', { hint: PICTURE_HINT }),
      field('markdown', 'content', 'The words'),
    ],
    list: async (db) => (await listNews(db)).map((item) => ({ id: item.id, value: newsFile(item) })),
    publish: async (db, _id, item, { today }) => saveNewsItem(db, storedNewsItem(item, today)),
    remove: removeNewsItem,
    idFor: ({ title }) => slugOf(title),
    complete: (value, id) => ({ ...value, id }),
    title: ({ title }) => textOf(title),
    detail: ({ date }) => (textOf(date) ? writeDay(textOf(date)) : ''),
    pathOf: (id) => `/news/${id}`,
    initial: (today) => ({ date: today, category: 'news' }),
  }),
]
