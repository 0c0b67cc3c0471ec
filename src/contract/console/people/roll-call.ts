/** What a member answers to a roll call. */
export const ROLL_CALL_ANSWERS = ['here', 'moved', 'not-me', 'died'] as const
export type RollCallAnswer = (typeof ROLL_CALL_ANSWERS)[number]

/** How an answer came in. */
export const ROLL_CALL_HOWS = ['link', 'login', 'phone', 'post'] as const
export type RollCallHow = (typeof ROLL_CALL_HOWS)[number]
