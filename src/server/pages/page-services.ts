import type {
  Association,
  BodyKey,
  CommitteeList,
  FaqEntry,
  Figure,
  LeadershipGroup,
  Announcement,
  PastPresident,
  TextPage,
  AddedPage,
  HeadedPage,
  HomeWords,
  WrittenHead,
} from '#contract/public/association.ts'
import type { CampaignPage } from '#contract/public/campaigns.ts'
import type { ClinicTimes, ClinicTranslation } from '#contract/public/clinic.ts'
import type { AssociationEvent, EventDetails } from '#contract/public/events.ts'
import type { PublicDirectory } from '#contract/public/my-account/directory.ts'
import type { ForumMember } from '#contract/public/forum.ts'
import type { FooterLink, MenuEntry } from '#contract/menu.ts'
import type { Part } from '#contract/parts.ts'
import type { Region } from '#contract/region.ts'
import type { Bucket, FolderOf, StoredImage } from '#contract/public/media.ts'
import type { RecordField } from '#contract/member-record/record-fields.ts'
import type { JoinPage, MembershipLevel } from '#contract/public/membership.ts'
import type { NewsArticle, NewsItem } from '#contract/public/news.ts'
import type { Sponsor, SponsorPage, SponsorTier } from '#contract/public/sponsors.ts'

/** The data of the root route, the same for every visitor. */
export interface RootData {
  association: Association
  announcement: Announcement | null
  /** The entries in order, without those of parts that are off; as the footer. */
  menu: MenuEntry[]
  footer: FooterLink[]
  /** The parts of the site that are off. Omitted if all are on: every page carries this. */
  partsOff?: Part[]
  /** Officers have not written all texts that a new site needs: search engines do not list it. Omitted if they have. */
  isUnfinished?: boolean
  /** A demo, in which anyone logs in as a sample person. Omitted on every other site. */
  isDemo?: boolean
  /** Today in the association's time zone, `YYYY-MM-DD`: pages never use the visitor's clock (docs/product-rules.md#the-associations-day). */
  today: string
  siteUrl: string
  /** Empty: no map. */
  mapEmbedUrl: string
  region: Region
  recaptchaSiteKey: string
  recaptchaScriptUrl: string
  stripePublishableKey: string
}

/** The data services that page loaders call in process, passed in the router's context. All data is for an anonymous visitor. */
export interface PageServices {
  rootData(): Promise<RootData>
  /** The parts of the site that are off. */
  partsOff(): Promise<Part[]>
  pageHead(page: HeadedPage): Promise<WrittenHead>
  home(): Promise<HomeWords>
  figures(): Promise<Figure[]>
  levels(): Promise<MembershipLevel[]>
  joinPage(): Promise<JoinPage>
  /** The fields of the member record that are asked while joining. */
  fieldsAtJoining(): Promise<RecordField[]>
  /** null if the page does not exist, or belongs to a part of the site that is off. */
  textPage(slug: string): Promise<TextPage | null>
  /** A page that officers added; null if there is none at this address. */
  addedPage(address: string): Promise<AddedPage | null>
  /** In its newest term; null if no one is listed. */
  leaderBody(key: BodyKey): Promise<LeadershipGroup | null>
  /** Of the newest term; null if there are none. */
  committees(): Promise<CommitteeList | null>
  /** Newest first. */
  pastPresidents(): Promise<PastPresident[]>
  faq(): Promise<FaqEntry[]>
  /** Unsorted: the order depends on the day. */
  events(): Promise<AssociationEvent[]>
  /** null if the event does not exist. */
  event(id: string): Promise<EventDetails | null>
  /** Newest first. */
  news(): Promise<NewsItem[]>
  /** null if the article does not exist. */
  article(id: string): Promise<NewsArticle | null>
  /** In display order. */
  sponsors(): Promise<Sponsor[]>
  /** In display order. */
  tiers(): Promise<SponsorTier[]>
  sponsorPage(): Promise<SponsorPage>
  /** The public listing of members; null while it is switched off. */
  publicDirectory(query: Record<string, string>): Promise<PublicDirectory | null>
  forumTeam(): Promise<ForumMember[]>
  clinic(): Promise<ClinicTimes>
  clinicTranslations(): Promise<ClinicTranslation[]>
  /** The first page of newsletters, the years that have any (newest first), and the cutoff day. */
  archive(): Promise<{ firstPage: CampaignPage; years: number[]; archiveAfter: string }>
  /** The pictures of a folder of the media store, by name; also empty if the store does not respond. */
  pictures<B extends Bucket>(bucket: B, folder: FolderOf<B>): Promise<StoredImage[]>
}
