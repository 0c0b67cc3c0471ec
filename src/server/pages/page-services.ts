import type {
  Association,
  BodyKey,
  CommitteeList,
  FaqEntry,
  Figure,
  LeaderBody,
  Notice,
  PastPresident,
  WordsPage,
} from '#contract/association.ts'
import type { MembershipLevel } from '#contract/membership.ts'

/** What the root of every page needs, the same for every visitor. */
export interface FrameContents {
  association: Association
  notice: Notice | null
  /** The association's day, `YYYY-MM-DD` in its time zone: pages never ask the visitor's clock (decision E2). */
  today: string
  siteUrl: string
  mapEmbedUrl: string
  recaptchaSiteKey: string
  recaptchaScriptUrl: string
  stripePublishableKey: string
}

/** The services page loaders call in process, handed over through the router's context. Every answer is for an anonymous visitor. */
export interface PageServices {
  frame(): Promise<FrameContents>
  figures(): Promise<Figure[]>
  levels(): Promise<MembershipLevel[]>
  /** null when there is no such page. */
  wordsPage(slug: string): Promise<WordsPage | null>
  /** In its newest term; null when nobody is listed. */
  leaderBody(key: BodyKey): Promise<LeaderBody | null>
  /** Of the newest term; null when there are none. */
  committees(): Promise<CommitteeList | null>
  /** The newest first. */
  pastPresidents(): Promise<PastPresident[]>
  faq(): Promise<FaqEntry[]>
}
