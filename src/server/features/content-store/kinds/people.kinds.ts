import * as z from 'zod/mini'
import type { ContentValue } from '#contract/console/content.ts'
import { pictureField } from '#contract/fields.ts'
import { defineKind, field, textOf } from '../content-kind.rules.ts'
import { defineList, uniqueList } from '../list-kind.rules.ts'
import type { PublishedRecords } from '../record-set.rules.ts'
import { slug, term } from './fields.schema.ts'

const TERM_HINT = 'Such as 2026-27. Visitors see the newest term.'

const leaderId = ({ body, term }: ContentValue) => `${textOf(body)}.${textOf(term)}`

const year = z.int().check(z.gte(1900), z.lte(2199))
const PORTRAIT_HINT =
  'Optional. A portrait that was uploaded under Media for this person takes its place; without either, a drawing stands in.'

const leader = z.object({
  name: z.string(),
  role: z.optional(z.string()),
  location: z.optional(z.string()),
  portrait: z.optional(pictureField),
  /** Specialty. */
  field: z.optional(z.string()),
  practice: z.optional(z.string()),
  /** The year in which the person joined the body. */
  since: z.optional(year),
  /** Completes 'Ask me about ...'. */
  askMeAbout: z.optional(z.string()),
  /** Paragraphs. */
  bio: z.optional(z.array(z.string())),
})
export type LeaderValue = z.infer<typeof leader>

/** Those that have leaders. Each has a page at `/` and its key. */
export const BODIES = ['executive-committee', 'board-directors', 'board-trustees'] as const

const leadersSchema = z.object({
  body: z.enum(BODIES),
  title: z.string(),
  term,
  lead: z.string(),
  members: z.array(leader),
})

/** The leaders of one body in one term. */
export const leaderKind = defineKind({
  kind: 'leaders',
  schema: leadersSchema,
  file: { name: 'leaders.yaml', isSample: true, idOf: leaderId },
  sortKey: (value) => `${value.term} ${value.body}`,
  isNewestFirst: true,
  label: 'Leaders',
  singular: 'leadership term',
  lead: 'The leaders of each body and term. A new term replaces the old one on the page.',
  section: 'People',
  fields: [
    field('choice', 'body', 'Body', { isFixed: true }),
    field('line', 'term', 'Term', { hint: TERM_HINT, isFixed: true }),
    field('line', 'title', 'Heading'),
    field('text', 'lead', 'Under the heading'),
    field('group', 'members', 'People', {
      fields: [
        field('line', 'name', 'Name'),
        field('line', 'role', 'Office', { isRequired: false }),
        field('line', 'location', 'City', { isRequired: false }),
        field('line', 'field', 'Specialty', { isRequired: false }),
        field('line', 'practice', 'Practice or employer', { isRequired: false }),
        field('number', 'since', 'Serving since', { isRequired: false, hint: 'The year.' }),
        field('text', 'askMeAbout', 'Ask me about', {
          isRequired: false,
          hint: 'Completes the sentence “Ask me about ...”, with its period. Shown with the people at the top.',
        }),
        field('picture', 'portrait', 'Portrait', { isRequired: false, hint: PORTRAIT_HINT }),
        field('lines', 'bio', 'Biography', {
          isRequired: false,
          hint: 'One paragraph per line. It opens when visitors choose the name.',
        }),
      ],
    }),
  ],
  optionsFrom: { body: 'bodies' },
  canDelete: true,
  idFor: leaderId,
  title: ({ title, term }) =>
    textOf(title).includes(textOf(term)) ? textOf(title) : `${textOf(title)} ${textOf(term)}`,
  detail: ({ members }) => `${Array.isArray(members) ? members.length : 0} people`,
  initialValue: () => ({ body: 'executive-committee' }),
})

type LeadersValue = z.infer<typeof leadersSchema>

/** The bodies that have leaders, in their newest terms. */
export function currentLeaders(records: PublishedRecords): LeadersValue[] {
  const newestFirst = records.list(leaderKind).map(({ value }) => value)
  return leadersSchema.shape.body.options.flatMap((key) => newestFirst.find(({ body }) => body === key) ?? [])
}

const committee = z.object({
  id: z.string(),
  title: z.string(),
  blurb: z.string(),
  members: z.array(z.string()),
  /** Of the chair. */
  portrait: z.optional(pictureField),
})
export type CommitteeValue = z.infer<typeof committee>

export const committeeKind = defineList({
  kind: 'committees',
  list: 'committees',
  items: uniqueList(committee, 'id', 'give each committee an id of its own'),
  ids: { name: 'id', from: 'title' },
  besides: { shape: { term }, fields: [field('line', 'term', 'Term', { hint: TERM_HINT })] },
  file: { name: 'committees.yaml', isSample: true },
  label: 'Committees',
  lead: 'The committees of a term, in the order of the page. Changing the term starts a new list and keeps the old one.',
  section: 'People',
  listLabel: 'Committees',
  fields: [
    field('line', 'title', 'Name'),
    field('text', 'blurb', 'Description'),
    field('lines', 'members', 'Members', { hint: 'One per line, the chair first.' }),
    field('picture', 'portrait', 'Portrait of the chair', { isRequired: false }),
  ],
  pathOf: () => '/committees',
})

const president = z.object({ name: z.string(), year: z.int().check(z.gte(1600), z.lte(2199)) })

export const pastPresidentKind = defineList({
  kind: 'past-presidents',
  list: 'presidents',
  // Newest first, as the page lists them.
  items: z.pipe(
    uniqueList(president, 'year', 'name each year once'),
    z.transform((list: z.infer<typeof president>[]) => list.toSorted((a, b) => b.year - a.year)),
  ),
  file: { name: 'past-presidents.yaml', isSample: true },
  label: 'Past presidents',
  lead: 'Everyone who has led the association, by year.',
  section: 'People',
  listLabel: 'Past presidents',
  fields: [field('line', 'name', 'Name'), field('number', 'year', 'Year')],
  pathOf: () => '/past-presidents',
})

const forumMember = z.object({
  id: slug,
  role: z.string(),
  name: z.string(),
  school: z.string(),
  year: z.string(),
  iconName: slug,
  bio: z.array(z.string()).check(z.minLength(1)),
})

export const forumKind = defineList({
  kind: 'forum-team',
  list: 'team',
  items: uniqueList(forumMember, 'id', 'give each officer an id of its own'),
  ids: { name: 'id', from: 'name' },
  file: { name: 'forum-team.yaml', isSample: true },
  label: 'Students’ and residents’ forum',
  lead: 'The officers of the forum, in the order of the page.',
  section: 'People',
  listLabel: 'Officers of the forum',
  fields: [
    field('line', 'name', 'Name'),
    field('line', 'role', 'Office'),
    field('line', 'school', 'School'),
    field('line', 'year', 'Year'),
    field('line', 'iconName', 'Picture', { hint: 'The name of a small illustration, as the others have.' }),
    field('lines', 'bio', 'About', { hint: 'One paragraph per line.' }),
  ],
  pathOf: () => '/students-residents',
})
