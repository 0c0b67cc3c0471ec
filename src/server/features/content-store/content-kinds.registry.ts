import type { ContentKind, EditableKind } from './content-kind.rules.ts'
import { clinicLanguageKind } from './kinds/clinic.kinds.ts'
import { joinPageKind } from './kinds/join.kinds.ts'
import { eventKind, newsKind } from './kinds/news-and-events.kinds.ts'
import { committeeKind, forumKind, leaderKind, pastPresidentKind } from './kinds/people.kinds.ts'
import { settingKinds, technicalSettings } from './kinds/settings.kinds.ts'
import { sponsorKind, tierKind } from './kinds/support.kinds.ts'
import { announcementKind, faqKind, figureKind, pageKind } from './kinds/text.kinds.ts'

/** What officers edit, in the order of the console. */
export const editableKinds: readonly EditableKind[] = [
  eventKind,
  newsKind,
  leaderKind,
  committeeKind,
  pastPresidentKind,
  forumKind,
  pageKind,
  faqKind,
  clinicLanguageKind,
  announcementKind,
  figureKind,
  joinPageKind,
  tierKind,
  sponsorKind,
  ...settingKinds,
]

/** All kinds of content: a new one needs its definition here and nothing else, as far as it is stored, seeded, exported and edited. */
export const contentKinds: readonly ContentKind[] = [...editableKinds, ...technicalSettings]
