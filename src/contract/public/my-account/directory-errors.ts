/** The request errors of the directory of members; see `errors.ts`. */
export const directoryErrors = {
  MESSAGES_OFF: { status: 409, message: 'This member does not receive messages through the directory.' },
  PLANTED_ENTRIES_FULL: {
    status: 409,
    message: 'There are five planted entries already. Remove one that is no longer needed first.',
  },
} as const
