import { messages } from '#contract/messages.ts'
import { rsvpBody } from '#contract/public/rsvp.ts'
import type { OfferedTicketKind, TicketChoice } from '#contract/tickets/tickets.ts'
import { personsIn } from './ticket-choice.rules.ts'
import { validate, type FormValues, type FieldErrors } from '#web/forms/validate.rules.ts'

/** The meal fields; one is shown per person. */
export const MEAL_FIELDS = [
  'meal0',
  'meal1',
  'meal2',
  'meal3',
  'meal4',
  'meal5',
  'meal6',
  'meal7',
  'meal8',
  'meal9',
  'meal10',
] as const
/** One for each kind of ticket that a form shows, in their order. */
const TICKET_FIELDS = [
  'ticket0',
  'ticket1',
  'ticket2',
  'ticket3',
  'ticket4',
  'ticket5',
  'ticket6',
  'ticket7',
  'ticket8',
  'ticket9',
  'ticket10',
  'ticket11',
  'ticket12',
  'ticket13',
  'ticket14',
] as const
export const RSVP_FIELDS = ['name', 'email', 'guests', 'tickets', ...TICKET_FIELDS, ...MEAL_FIELDS] as const
export type RsvpField = (typeof RSVP_FIELDS)[number]

/** Converts the form's values to a request body. @param kinds of tickets, which decide the number of guests */
export function toParty(
  values: FormValues<RsvpField>,
  kinds: readonly OfferedTicketKind[] = [],
): { name: string; guests: number; meals: string[]; tickets?: TicketChoice } {
  const tickets = kinds.flatMap(({ key }, index) => {
    const field = TICKET_FIELDS[index]
    const count = field ? Number(values[field] || 0) : 0
    return count > 0 ? [{ kind: key, count }] : []
  })
  const guests = kinds.length > 0 ? Math.max(0, personsIn(kinds, tickets) - 1) : Number(values.guests || 0)
  const meals = MEAL_FIELDS.slice(0, guests + 1).flatMap((field) => values[field] || [])
  return { name: values.name, guests, meals, ...(kinds.length > 0 && { tickets }) }
}

/** @param hasMeals whether each person chooses a meal */
export function checkParty(
  values: FormValues<RsvpField>,
  hasMeals: boolean,
  kinds: readonly OfferedTicketKind[] = [],
): FieldErrors<RsvpField> {
  const party = toParty(values, kinds)
  const { name, email } = validate<'name' | 'email'>(rsvpBody, { ...party, email: values.email })
  const problems: FieldErrors<RsvpField> = { ...(name && { name }), ...(email && { email }) }
  if (party.tickets?.length === 0) return { ...problems, tickets: messages.rsvp.tickets }
  if (!hasMeals) return problems
  for (const field of MEAL_FIELDS.slice(0, party.guests + 1)) {
    if (values[field] === '') problems[field] = 'Please choose a meal'
  }
  return problems
}
