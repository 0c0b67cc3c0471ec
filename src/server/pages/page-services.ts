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
import type { CampaignPage } from '#contract/campaigns.ts'
import type { ClinicTimes } from '#contract/clinic.ts'
import type { AssociationEvent, EventDetails } from '#contract/events.ts'
import type { ForumMember } from '#contract/forum.ts'
import type { Bucket, FolderOf, StoredImage } from '#contract/media.ts'
import type { MembershipLevel } from '#contract/membership.ts'
import type { NewsArticle, NewsItem } from '#contract/news.ts'
import type { Sponsor, SponsorTier } from '#contract/sponsors.ts'

/** What the root of every page needs, the same for every visitor. */
export interface FrameContents {
  association: Association
  notice: Notice | null
  /** Of the committees that are shown, such as '2024-25', for the menu; null without any. */
  committeesTerm: string | null
  /** The association's day, `YYYY-MM-DD` in its time zone: pages never ask the visitor's clock (docs/product-rules.md#the-associations-day). */
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
  /** In no order: what comes first depends on the day. */
  events(): Promise<AssociationEvent[]>
  /** null when there is no such event. */
  event(id: string): Promise<EventDetails | null>
  /** The latest first. */
  news(): Promise<NewsItem[]>
  /** null when there is no such article. */
  article(id: string): Promise<NewsArticle | null>
  /** In the order they are shown. */
  sponsors(): Promise<Sponsor[]>
  /** In the order they are shown. */
  tiers(): Promise<SponsorTier[]>
  forumTeam(): Promise<ForumMember[]>
  clinic(): Promise<ClinicTimes>
  /** The newest newsletters, the years there are some of, the latest first, and the last day that is left out. */
  archive(): Promise<{ firstPage: CampaignPage; years: number[]; archiveAfter: string }>
  /** Of a folder of the media store, by name; empty as well when the store does not answer. */
  pictures<B extends Bucket>(bucket: B, folder: FolderOf<B>): Promise<StoredImage[]>
}
