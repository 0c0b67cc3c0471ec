/** Whom a membership level is for: the answers to the one question of the page that sells memberships. */
export const AUDIENCES = ['practice', 'training', 'aims'] as const
export type Audience = (typeof AUDIENCES)[number]

/** The colors that an illustration can stand on. */
export const INKS = ['marigold', 'sage', 'blush', 'mist', 'deep', 'peach', 'sand'] as const
export type Ink = (typeof INKS)[number]

/** The illustrations that a level can have. */
export const LEVEL_SPOTS = [
  'ballot',
  'books',
  'cups',
  'horn',
  'lamp',
  'lotus',
  'mortar',
  'peach',
  'rose',
  'stethoscope',
] as const
export type LevelSpot = (typeof LEVEL_SPOTS)[number]

/** What officers add to a level's name, price and description; all of it is optional. */
export interface LevelPresentation {
  /** The level's name, compared without upper and lower case. */
  level: string
  /** Empty: for everyone. */
  audiences: Audience[]
  benefits: string[]
  /** Below the button, such as how the membership renews. */
  note: string | null
  spot: LevelSpot | null
  ink: Ink | null
  /** Ringed: the one to look at first for its audience. */
  isFeatured: boolean
}

/** What the page `/become-a-member` shows besides the levels. */
export interface JoinPage {
  levels: LevelPresentation[]
  /** A sentence for each answer, beside its levels. */
  asides: { audience: Audience; title: string; text: string | null }[]
  /** A member's words. */
  voice: { quote: string; name: string; detail: string | null; portrait: string | null } | null
  questions: { question: string; /** Sanitized HTML. */ answer: string }[]
}
