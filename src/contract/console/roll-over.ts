import * as z from 'zod/mini'
import { ROLES } from './access.ts'
import { contentDifference } from './console-content.ts'
import { isDay } from './days.ts'
import { endpoint } from './endpoint.ts'
import { blankLineField, lineField } from './fields.ts'
import { messages } from './messages.ts'

/** The assistant that moves the association's year on: one plan, which all presidents share, done as a whole and undone as a whole. */

export const BOARDS = ['board-directors', 'board-trustees'] as const
export const BOARD_NAMES: Record<(typeof BOARDS)[number], string> = {
  'board-directors': 'Board of Directors',
  'board-trustees': 'Board of Trustees',
}

/** The steps of the assistant; an obstacle names the one where it is removed. */
export const ROLL_OVER_STEPS = ['year', 'executive', 'boards', 'roles', 'past', 'labels', 'overview'] as const
export type RollOverStep = (typeof ROLL_OVER_STEPS)[number]

/** So long after it was done it can be undone as a whole. */
export const UNDO_DAYS = 7

/** A plan is kept half filled in, so a line may be empty; what must not be is said by the overview. */
const words = blankLineField
const day = z.string(messages.text.unreadable).check(
  z.trim(),
  z.refine((text) => text === '' || isDay(text), messages.text.unreadable),
)
const ids = (most: number) => z.array(lineField(messages.text.unreadable, 300)).check(z.maxLength(most))
const accountId = z.nullable(lineField(messages.text.unreadable, 64))

const leader = z.object({ name: words(300), role: words(300), location: words(300) })
export type PlannedLeader = z.infer<typeof leader>

const seat = z.object({
  office: words(300),
  name: words(300),
  location: words(300),
  /** Of a member; null for a name without an account. */
  accountId,
})
export type PlannedSeat = z.infer<typeof seat>

const grant = z.object({
  role: z.enum(ROLES),
  name: words(300),
  accountId,
  startsOn: day,
  endsOn: day,
})
export type PlannedGrant = z.infer<typeof grant>

const plan = z.object({
  /** The last day of the year that ends; the next one begins on the day after. */
  lastDay: day,
  /** The last day of the year that begins. */
  newLastDay: day,
  executive: z.array(seat).check(z.maxLength(300)),
  boards: z
    .array(
      z.object({
        body: z.enum(BOARDS),
        /** Not renewed: it keeps its people and its term. */
        isRenewed: z.boolean(),
        people: z.array(leader).check(z.maxLength(300)),
      }),
    )
    .check(z.maxLength(BOARDS.length)),
  committees: z.object({
    isRenewed: z.boolean(),
    list: z
      .array(
        z.object({
          /** Empty for a new one. */
          id: words(300),
          title: words(300),
          blurb: z.string(messages.text.unreadable).check(z.maxLength(2_000, messages.text.unreadable)),
          members: z.array(words(2_000)).check(z.maxLength(300)),
        }),
      )
      .check(z.maxLength(300)),
  }),
  /** Roles of the console that are given. */
  grants: z.array(grant).check(z.maxLength(60)),
  /** Terms of today that end with the year. */
  endings: ids(300),
  pastPresident: z.object({
    isAdded: z.boolean(),
    name: words(300),
    year: z.int().check(z.gte(1900), z.lte(9999)),
  }),
  /** Labels that stay as they are. */
  keptLabels: ids(500),
  /** Names that look half-typed and are whole, as an officer said. */
  wholeNames: z.optional(ids(300)),
})
export type RollOverPlan = z.infer<typeof plan>

const presentTerm = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  startsOn: z.string(),
  endsOn: z.string(),
})
export type PresentTerm = z.infer<typeof presentTerm>

const label = z.object({
  key: z.string(),
  /** Where it stands, such as 'Notice, Title'. */
  where: z.string(),
  /** The words around it. */
  before: z.string(),
  after: z.string(),
  /** Somebody has a draft of this record, so it is left alone. */
  isLeftAlone: z.boolean(),
})
export type RollOverLabel = z.infer<typeof label>

const contentChange = z.object({
  title: z.string(),
  /** Of its page in the console. */
  path: z.string(),
  isNew: z.boolean(),
  differences: z.array(contentDifference),
})
export type RollOverContentChange = z.infer<typeof contentChange>

const roleChange = z.object({
  name: z.string(),
  role: z.enum(ROLES),
  change: z.enum(['given', 'shortened', 'ended']),
  /** In words; null where there was none. */
  before: z.nullable(z.string()),
  after: z.string(),
})
export type RollOverRoleChange = z.infer<typeof roleChange>

const rollOver = z.object({
  id: z.string(),
  state: z.enum(['draft', 'scheduled', 'done']),
  version: z.int(),
  plan,
  /** Such as 2026-27. */
  term: z.string(),
  formerTerm: z.string(),
  firstDay: z.string(),
  /** The first day is to come, so it can happen by itself. */
  isAhead: z.boolean(),
  savedAt: z.string(),
  savedBy: z.string(),
  runOn: z.nullable(z.string()),
  /** Why it did not happen by itself on its day. */
  failure: z.array(z.string()),
  /** What the site says now, for the forms. */
  present: z.object({
    executive: z.array(leader),
    executiveTerm: z.nullable(z.string()),
    boards: z.array(z.object({ body: z.enum(BOARDS), title: z.string(), term: z.string() })),
    committeesTerm: z.nullable(z.string()),
    terms: z.array(presentTerm),
  }),
  /** The members whom the plan names. */
  members: z.array(z.object({ id: z.string(), name: z.string(), email: z.string() })),
  labels: z.array(label),
  content: z.array(contentChange),
  roles: z.array(roleChange),
  obstacles: z.array(
    z.object({
      step: z.enum(ROLL_OVER_STEPS),
      sentence: z.string(),
      /** A name that looks half-typed: it is no obstacle once it is among the plan's `wholeNames`. */
      asksAbout: z.optional(z.string()),
    }),
  ),
  doneAt: z.nullable(z.string()),
  /** null where it was not done, or was undone. */
  undo: z.nullable(
    z.object({
      /** The last moment. */
      until: z.string(),
      isPossible: z.boolean(),
      /** What was changed since, which is why it can not be undone as a whole. */
      changed: z.array(z.string()),
    }),
  ),
})
export type RollOver = z.infer<typeof rollOver>

/** `current` is the plan, or what was done last while it can be looked at. */
const standing = z.object({
  current: z.nullable(rollOver),
  next: z.object({ term: z.string(), firstDay: z.string(), lastDay: z.string() }),
})
export type RollOverStanding = z.infer<typeof standing>

const params = z.object({ id: lineField(messages.text.unreadable, 64) })
const version = z.int(messages.text.unreadable)

export const getRollOver = endpoint({
  name: 'getRollOver',
  method: 'GET',
  path: '/api/console/roll-over',
  access: 'officer',
  permission: 'officers.change',
  summary: 'The plan that moves the year on, what it would change, and what was done last',
  reply: standing,
  failures: [],
})

export const beginRollOver = endpoint({
  name: 'beginRollOver',
  method: 'POST',
  path: '/api/console/roll-over',
  access: 'officer',
  permission: 'officers.change',
  summary: 'Begins a plan with proposals; answers the one that is there already',
  body: z.object({}),
  reply: standing,
  status: 201,
  failures: [],
})

export const saveRollOver = endpoint({
  name: 'saveRollOver',
  method: 'PUT',
  path: '/api/console/roll-over/:id',
  access: 'officer',
  permission: 'officers.change',
  summary: 'Keeps the plan as far as it is filled in; nothing of it happens yet',
  params,
  body: z.object({ version, plan }),
  reply: standing,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const discardRollOver = endpoint({
  name: 'discardRollOver',
  method: 'DELETE',
  path: '/api/console/roll-over/:id',
  access: 'officer',
  permission: 'officers.change',
  summary: 'Throws a plan away that was not done',
  params,
  reply: standing,
  failures: ['NOT_FOUND'],
})

export const confirmRollOver = endpoint({
  name: 'confirmRollOver',
  method: 'POST',
  path: '/api/console/roll-over/:id/confirm',
  access: 'officer',
  permission: 'officers.change',
  asksAgain: true,
  summary:
    'Does all of the plan at once, or lets it happen by itself on the first day of the year; twice has the effect of once',
  params,
  body: z.object({ version, when: z.enum(['now', 'firstDay']) }),
  reply: standing,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'ROLL_OVER_BLOCKED'],
})

export const holdRollOver = endpoint({
  name: 'holdRollOver',
  method: 'POST',
  path: '/api/console/roll-over/:id/hold',
  access: 'officer',
  permission: 'officers.change',
  summary: 'Takes the schedule back; the plan is a draft again',
  params,
  body: z.object({}),
  reply: standing,
  failures: ['NOT_FOUND'],
})

export const undoRollOver = endpoint({
  name: 'undoRollOver',
  method: 'POST',
  path: '/api/console/roll-over/:id/undo',
  access: 'officer',
  permission: 'officers.change',
  asksAgain: true,
  summary: 'Puts everything back as it was, within a week and where nothing of it was changed since',
  params,
  body: z.object({}),
  reply: standing,
  failures: ['NOT_FOUND', 'ROLL_OVER_CHANGED', 'LAST_PRESIDENT'],
})
