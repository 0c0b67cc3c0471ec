import * as z from 'zod/mini'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** Which level of the association a name or price of an earlier system is. */

/** More names of a file are not matched: its column is probably not the level. */
export const EARLIER_NAMES_MAX = 200

export const levelMatch = z.object({
  /** `suggested`: by a similar name, or the same amount. `left-out`: an officer chose not to import it. */
  choice: z.enum(['chosen', 'suggested', 'left-out', 'none']),
  levelKey: z.nullable(z.string()),
})
export type LevelMatch = z.infer<typeof levelMatch>

/** A name in the level column of a file of members that is not the name of a level. */
export const earlierName = z.extend(levelMatch, {
  /** The name, normalized. */
  key: z.string(),
  /** Empty for rows without a level. */
  name: z.string(),
  rows: z.int(),
})
export type EarlierName = z.infer<typeof earlierName>

export const levelChoice = z.object({
  key: z.string(messages.text.unreadable).check(z.maxLength(600, messages.text.unreadable)),
  /** null: left out. */
  levelKey: z.nullable(lineField(messages.text.unreadable, 64)),
})
