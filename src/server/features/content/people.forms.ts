import * as z from 'zod/mini'
import type { ContentValue } from '#contract/console/content.ts'
import {
  committeesSchema,
  forumTeamSchema,
  leaderBodySchema,
  pastPresidentsSchema,
} from '#server/features/content-store/content.schema.ts'
import { listForumMembers } from '#server/features/content-store/forum.queries.ts'
import { replaceForumMembers } from '#server/features/content-store/forum.commands.ts'
import { findCommittees, listPastPresidents, readLeaders } from '#server/features/content-store/offices.queries.ts'
import {
  deleteLeaderBody,
  replaceCommittees,
  replacePastPresidents,
  saveLeaderBody,
} from '#server/features/content-store/offices.commands.ts'
import { contentForm, field, textOf, withIds } from './form-builder.rules.ts'
import { singleRecordForm } from './single.forms.ts'

const BODIES = [
  { value: 'executive-committee', label: 'Executive Committee' },
  { value: 'board-directors', label: 'Board of Directors' },
  { value: 'board-trustees', label: 'Board of Trustees' },
]
const TERM_HINT = 'Such as 2026-27. Visitors see the newest term.'

const leaderId = ({ body, term }: ContentValue) => `${textOf(body)}.${textOf(term)}`

export const peopleForms = [
  contentForm({
    kind: 'leaders',
    label: 'Leaders',
    singular: 'leadership term',
    lead: 'The leaders of each body and term. A new term replaces the old one on the page.',
    section: 'People',
    schema: leaderBodySchema,
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
    async list(db) {
      const bodies = (await readLeaders(db)).sort((a, b) => (a.term < b.term ? 1 : -1))
      return bodies.map((value) => ({ id: leaderId(value), value }))
    },
    publish: (db, _id, body, { newId }) => saveLeaderBody(db, body, newId),
    async remove(db, id) {
      const [body = '', term = ''] = id.split('.')
      await deleteLeaderBody(db, { body, term })
    },
    idFor: leaderId,
    title: ({ title, term }) =>
      textOf(title).includes(textOf(term)) ? textOf(title) : `${textOf(title)} ${textOf(term)}`,
    detail: ({ members }) => `${Array.isArray(members) ? members.length : 0} people`,
    initialValue: () => ({ body: 'executive-committee' }),
  }),
  singleRecordForm({
    kind: 'committees',
    label: 'Committees',
    lead: 'The committees of a term, in the order of the page. Changing the term starts a new list and keeps the old one.',
    section: 'People',
    schema: committeesSchema,
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
    read: findCommittees,
    publish: (db, value) => replaceCommittees(db, value),
    addMissing: (value) => ({ ...value, committees: withIds(value['committees'], 'id', 'title') }),
    pathOf: () => '/committees',
  }),
  singleRecordForm({
    kind: 'past-presidents',
    label: 'Past presidents',
    lead: 'Everyone who has led the association, by year.',
    section: 'People',
    schema: z.object({ presidents: pastPresidentsSchema }),
    fields: [
      field('group', 'presidents', 'Past presidents', {
        fields: [field('line', 'name', 'Name'), field('number', 'year', 'Year')],
      }),
    ],
    read: async (db) => ({ presidents: await listPastPresidents(db) }),
    publish: (db, { presidents }) => replacePastPresidents(db, presidents),
    pathOf: () => '/past-presidents',
  }),
  singleRecordForm({
    kind: 'forum-team',
    label: 'Students’ and residents’ forum',
    lead: 'The officers of the forum, in the order of the page.',
    section: 'People',
    schema: z.object({ team: forumTeamSchema }),
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
    read: async (db) => ({ team: await listForumMembers(db) }),
    publish: (db, { team }) => replaceForumMembers(db, team),
    addMissing: (value) => ({ ...value, team: withIds(value['team'], 'id', 'name') }),
    pathOf: () => '/students-residents',
  }),
]
