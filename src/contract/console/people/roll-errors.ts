/** The request errors of person states, roll calls and rolls; see `errors.ts`. */
export const rollErrors = {
  TWO_SOURCES_NEEDED: {
    status: 409,
    message: 'Two different sources are needed before a death is recorded. Report the second one first.',
  },
  TIME_TO_OBJECT: {
    status: 409,
    message: 'The person was asked by email and has seven days to object. Record the death after that.',
  },
  ROLL_SEALED: { status: 409, message: 'This roll is sealed, so nothing about it can be changed.' },
  OBJECTIONS_OPEN: {
    status: 409,
    message: 'Members can still object, or an objection waits for an answer. Seal the roll afterward.',
  },
  ROLL_CALL_OPEN: { status: 409, message: 'A roll call is open. Close it first.' },
  ROLL_CALL_CLOSED: { status: 409, message: 'This roll call is over.' },
  DEATH_NOT_RECORDED: {
    status: 409,
    message:
      'Record the death first, under Person on the member’s page: that takes two sources, and the person can object.',
  },
  UNDO_OVER: { status: 409, message: 'A recorded death can be undone for 30 days. Ask the webmaster.' },
  STILL_HERE_LINK_INVALID: {
    status: 410,
    message: 'This link does not work. Please open the link in the email again, or log in.',
  },
} as const
