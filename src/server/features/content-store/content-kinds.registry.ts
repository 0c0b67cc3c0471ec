import type { ContentKind, EditableKind } from './content-kind.rules.ts'
import { brandKind } from './kinds/brand.kinds.ts'
import { clinicLanguageKind } from './kinds/clinic.kinds.ts'
import { credentialKindsKind } from './kinds/credential-kinds.kinds.ts'
import { emailTopicKind } from './kinds/email-topics.kinds.ts'
import { emailWordingKind } from './kinds/email-wording.kinds.ts'
import { joinPageKind } from './kinds/join.kinds.ts'
import { eventKind, newsKind } from './kinds/news-and-events.kinds.ts'
import { committeeKind, forumKind, leaderKind, pastPresidentKind } from './kinds/people.kinds.ts'
import { recordFieldKind } from './kinds/record-fields.kinds.ts'
import { settingKinds, technicalSettings } from './kinds/settings.kinds.ts'
import { sponsorPageKind } from './kinds/sponsor-page.kinds.ts'
import { sponsorKind, tierKind } from './kinds/support.kinds.ts'
import { announcementKind, faqKind, figureKind, pageKind } from './kinds/text.kinds.ts'
import { addedPageKind, homeKind, menuKind, redirectKind } from './kinds/website.kinds.ts'

/** What officers edit on pages for any kind, in the order of the console. */
export const editableKinds: readonly EditableKind[] = [
  homeKind,
  pageKind,
  addedPageKind,
  menuKind,
  redirectKind,
  eventKind,
  newsKind,
  leaderKind,
  committeeKind,
  pastPresidentKind,
  forumKind,
  recordFieldKind,
  emailTopicKind,
  credentialKindsKind,
  faqKind,
  clinicLanguageKind,
  announcementKind,
  figureKind,
  joinPageKind,
  tierKind,
  sponsorPageKind,
  sponsorKind,
  ...settingKinds,
  brandKind,
]

/** What officers edit, on pages for any kind or on pages of their own. */
export const revisedKinds: readonly EditableKind[] = [...editableKinds, emailWordingKind]

/** All kinds of content: a new one needs its definition here and nothing else, as far as it is stored, seeded, exported and edited. */
export const contentKinds: readonly ContentKind[] = [...revisedKinds, ...technicalSettings]
