import * as z from 'zod/mini'
import type { ContentValue } from '#contract/console/content.ts'
import { areUnique, defineKind, defineSingle, field, textOf, withIds } from '../content-kind.rules.ts'
import type { PublishedRecords } from '../record-set.rules.ts'
import { slug, term } from './fields.schema.ts'

const BODIES = [
  { value: 'executive-committee', label: 'Executive Committee' },
  { value: 'board-directors', label: 'Board of Directors' },
  { value: 'board-trustees', label: 'Board of Trustees' },
]
const TERM_HINT = 'Such as 2026-27. Visitors see the newest term.'

const leaderId = ({ body, term }: ContentValue) => `${textOf(body)}.${textOf(term)}`

const leadersSchema = z.object({
  body: z.enum(['executive-committee', 'board-directors', 'board-trustees']),
  title: z.string(),
  term,
  lead: z.string(),
  members: z.array(z.object({ name: z.string(), role: z.optional(z.string()), location: z.optional(z.string()) })),
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
    field('choice', 'body', 'Body', { options: BODIES, isFixed: true }),
    field('line', 'term', 'Term', { hint: TERM_HINT, isFixed: true }),
    field('line', 'title', 'Heading'),
    field('text', 'lead', 'Under the heading'),
    field('group', 'members', 'People', {
      fields: [
        field('line', 'name', 'Name'),
        field('line', 'role', 'Office', { isRequired: false }),
        field('line', 'location', 'City', { isRequired: false }),
      ],
    }),
  ],
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

const committeesSchema = z.object({
  term,
  committees: z
    .array(z.object({ id: z.string(), title: z.string(), blurb: z.string(), members: z.array(z.string()) }))
    .check(z.refine(areUnique('id'), 'give each committee an id of its own')),
})

export const committeeKind = defineSingle({
  kind: 'committees',
  schema: committeesSchema,
  file: { name: 'committees.yaml', isSample: true },
  label: 'Committees',
  lead: 'The committees of a term, in the order of the page. Changing the term starts a new list and keeps the old one.',
  section: 'People',
  fields: [
    field('line', 'term', 'Term', { hint: TERM_HINT }),
    field('group', 'committees', 'Committees', {
      fields: [
        field('line', 'title', 'Name'),
        field('text', 'blurb', 'Description'),
        field('lines', 'members', 'Members', { hint: 'One per line, the chair first.' }),
      ],
    }),
  ],
  addMissing: (value) => ({ ...value, committees: withIds(value['committees'], 'id', 'title') }),
  pathOf: () => '/committees',
})

const presidents = z
  .array(z.object({ name: z.string(), year: z.int().check(z.gte(1987), z.lte(2199)) }))
  .check(z.refine(areUnique('year'), 'name each year once'))

export const pastPresidentKind = defineSingle({
  kind: 'past-presidents',
  schema: z.object({
    // Newest first, as the page lists them.
    presidents: z.pipe(
      presidents,
      z.transform((list: z.infer<typeof presidents>) => list.toSorted((a, b) => b.year - a.year)),
    ),
  }),
  file: { name: 'past-presidents.yaml', isSample: true, list: 'presidents' },
  label: 'Past presidents',
  lead: 'Everyone who has led the association, by year.',
  section: 'People',
  fields: [
    field('group', 'presidents', 'Past presidents', {
      fields: [field('line', 'name', 'Name'), field('number', 'year', 'Year')],
    }),
  ],
  pathOf: () => '/past-presidents',
})

const forumMembers = z
  .array(
    z.object({
      id: slug,
      role: z.string(),
      name: z.string(),
      school: z.string(),
      year: z.string(),
      iconName: slug,
      bio: z.array(z.string()).check(z.minLength(1)),
    }),
  )
  .check(z.refine(areUnique('id'), 'give each officer an id of its own'))

export const forumKind = defineSingle({
  kind: 'forum-team',
  schema: z.object({ team: forumMembers }),
  file: { name: 'forum-team.yaml', isSample: true, list: 'team' },
  label: 'Students’ and residents’ forum',
  lead: 'The officers of the forum, in the order of the page.',
  section: 'People',
  fields: [
    field('group', 'team', 'Officers of the forum', {
      fields: [
        field('line', 'name', 'Name'),
        field('line', 'role', 'Office'),
        field('line', 'school', 'School'),
        field('line', 'year', 'Year'),
        field('line', 'iconName', 'Picture', { hint: 'The name of a small illustration, as the others have.' }),
        field('lines', 'bio', 'About', { hint: 'One paragraph per line.' }),
      ],
    }),
  ],
  addMissing: (value) => ({ ...value, team: withIds(value['team'], 'id', 'name') }),
  pathOf: () => '/students-residents',
})
