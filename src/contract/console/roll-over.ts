import * as z from 'zod/mini'
import { ROLES } from '../access.ts'
import { contentDifference } from './content.ts'
import { isDay } from '../dates/days.ts'
import { endpoint } from '../endpoint.ts'
import { blankLineField, lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** The yearly roll-over: one plan shared by all presidents, applied as a whole and undone as a whole. */

export const BOARDS = ['board-directors', 'board-trustees'] as const

/** The bodies of a term, each with a page at `/` and its key; the association names them in the menu. */
export const TERM_BODIES = ['executive-committee', ...BOARDS, 'committees'] as const
export type TermBody = (typeof TERM_BODIES)[number]

/** The steps of the assistant; an obstacle names the step where it can be resolved. */
export const ROLL_OVER_STEPS = ['year', 'executive', 'boards', 'roles', 'past', 'labels', 'overview'] as const
export type RollOverStep = (typeof ROLL_OVER_STEPS)[number]

/** Days within which a roll-over can be undone as a whole. */
export const ROLL_OVER_UNDO_DAYS = 7

/** A plan may be saved incomplete, so lines may be empty; the overview lists what is missing. */
const text = blankLineField
const day = z.string(messages.text.unreadable).check(
  z.trim(),
  z.refine((text) => text === '' || isDay(text), messages.text.unreadable),
)
const ids = (most: number) => z.array(lineField(messages.text.unreadable, 300)).check(z.maxLength(most))
const accountId = z.nullable(lineField(messages.text.unreadable, 64))

const leader = z.object({ name: text(300), role: text(300), location: text(300) })
export type PlannedLeader = z.infer<typeof leader>

const seat = z.object({
  office: text(300),
  name: text(300),
  location: text(300),
  /** A member's account; null for a name without an account. */
  accountId,
})
export type PlannedSeat = z.infer<typeof seat>

const grant = z.object({
  role: z.enum(ROLES),
  name: text(300),
  accountId,
  startsOn: day,
  endsOn: day,
})
export type PlannedGrant = z.infer<typeof grant>

const plan = z.object({
  /** The last day of the ending year; the new one starts on the next day. */
  lastDay: day,
  /** The last day of the new year. */
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
          id: text(300),
          title: text(300),
          blurb: z.string(messages.text.unreadable).check(z.maxLength(2_000, messages.text.unreadable)),
          members: z.array(text(2_000)).check(z.maxLength(300)),
        }),
      )
      .check(z.maxLength(300)),
  }),
  /** Console roles to assign. */
  grants: z.array(grant).check(z.maxLength(60)),
  /** Current terms that end with the year. */
  endings: ids(300),
  pastPresident: z.object({
    isAdded: z.boolean(),
    name: text(300),
    year: z.int().check(z.gte(1900), z.lte(9999)),
  }),
  /** Labels that are left unchanged. */
  keptLabels: ids(500),
  /** Unusual names that an officer confirmed to be complete. */
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
  /** The field it is in, such as 'Notice, Title'. */
  where: z.string(),
  /** The surrounding text. */
  before: z.string(),
  after: z.string(),
  /** The record has a draft, so it is left unchanged. */
  isLeftAlone: z.boolean(),
})
export type RollOverLabel = z.infer<typeof label>

const contentChange = z.object({
  title: z.string(),
  /** The path of its page in the console. */
  path: z.string(),
  isNew: z.boolean(),
  differences: z.array(contentDifference),
})
export type RollOverContentChange = z.infer<typeof contentChange>

const roleChange = z.object({
  name: z.string(),
  role: z.enum(ROLES),
  change: z.enum(['given', 'shortened', 'ended']),
  /** As text; null if there was none. */
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
  /** Whether its first day is in the future, so that it can run automatically. */
  isAhead: z.boolean(),
  savedAt: z.string(),
  savedBy: z.string(),
  runOn: z.nullable(z.string()),
  /** Why it did not run automatically on its day. */
  failure: z.array(z.string()),
  /** The site's current content, for the forms. */
  present: z.object({
    /** What the association calls its bodies. */
    names: z.record(z.enum(TERM_BODIES), z.string()),
    executive: z.array(leader),
    executiveTerm: z.nullable(z.string()),
    boards: z.array(z.object({ body: z.enum(BOARDS), title: z.string(), term: z.string() })),
    committeesTerm: z.nullable(z.string()),
    terms: z.array(presentTerm),
  }),
  /** The members named in the plan. */
  members: z.array(z.object({ id: z.string(), name: z.string(), email: z.string() })),
  labels: z.array(label),
  content: z.array(contentChange),
  roles: z.array(roleChange),
  obstacles: z.array(
    z.object({
      step: z.enum(ROLL_OVER_STEPS),
      sentence: z.string(),
      /** A name that looks incomplete; no obstacle once it is in `wholeNames`. */
      asksAbout: z.optional(z.string()),
    }),
  ),
  doneAt: z.nullable(z.string()),
  /** null if it was not applied or was undone. */
  undo: z.nullable(
    z.object({
      /** The last instant at which it can be undone. */
      until: z.string(),
      isPossible: z.boolean(),
      /** What has changed since, which prevents undoing it as a whole. */
      changed: z.array(z.string()),
    }),
  ),
})
export type RollOver = z.infer<typeof rollOver>

/** `current` is the plan, or the last one applied while it can still be viewed. */
const rollOverState = z.object({
  current: z.nullable(rollOver),
  next: z.object({ term: z.string(), firstDay: z.string(), lastDay: z.string() }),
})
export type RollOverStatus = z.infer<typeof rollOverState>

const params = z.object({ id: lineField(messages.text.unreadable, 64) })
const version = z.int(messages.text.unreadable)

export const getRollOver = endpoint({
  name: 'getRollOver',
  method: 'GET',
  path: '/api/console/roll-over',
  access: 'officer',
  permission: 'officers.change',
  summary: 'Get the roll-over plan, what it would change, and the last one applied',
  reply: rollOverState,
  failures: [],
})

export const createRollOver = endpoint({
  name: 'beginRollOver',
  method: 'POST',
  path: '/api/console/roll-over',
  access: 'officer',
  permission: 'officers.change',
  summary: 'Create a plan with suggestions, or return the existing one',
  body: z.object({}),
  reply: rollOverState,
  status: 201,
  failures: [],
})

export const saveRollOver = endpoint({
  name: 'saveRollOver',
  method: 'PUT',
  path: '/api/console/roll-over/:id',
  access: 'officer',
  permission: 'officers.change',
  summary: 'Save the plan, even if incomplete; applies nothing yet',
  params,
  body: z.object({ version, plan }),
  reply: rollOverState,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const discardRollOver = endpoint({
  name: 'discardRollOver',
  method: 'DELETE',
  path: '/api/console/roll-over/:id',
  access: 'officer',
  permission: 'officers.change',
  summary: 'Discard a plan that was not applied',
  params,
  reply: rollOverState,
  failures: ['NOT_FOUND'],
})

export const applyRollOver = endpoint({
  name: 'confirmRollOver',
  method: 'POST',
  path: '/api/console/roll-over/:id/confirm',
  access: 'officer',
  permission: 'officers.change',
  requiresFreshFactor: true,
  summary: 'Apply the whole plan now, or schedule it for the first day of the year; idempotent',
  params,
  body: z.object({ version, when: z.enum(['now', 'firstDay']) }),
  reply: rollOverState,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'ROLL_OVER_BLOCKED'],
})

export const unscheduleRollOver = endpoint({
  name: 'holdRollOver',
  method: 'POST',
  path: '/api/console/roll-over/:id/hold',
  access: 'officer',
  permission: 'officers.change',
  summary: 'Unschedule the plan; it is a draft again',
  params,
  body: z.object({}),
  reply: rollOverState,
  failures: ['NOT_FOUND'],
})

export const undoRollOver = endpoint({
  name: 'undoRollOver',
  method: 'POST',
  path: '/api/console/roll-over/:id/undo',
  access: 'officer',
  permission: 'officers.change',
  requiresFreshFactor: true,
  summary: 'Undo the roll-over, within a week and if nothing of it has changed since',
  params,
  body: z.object({}),
  reply: rollOverState,
  failures: ['NOT_FOUND', 'ROLL_OVER_CHANGED', 'LAST_PRESIDENT'],
})
